import { AppError } from "@canvass/errors";

/** Bytes of a file, both ends included. */
export interface FileRange {
  start: number;
  end: number;
}

/** Files by key: names of letters, digits, `.`, `_` and `-`, with `/` between folders. Files are streams in both ways. */
export interface FileStore extends AsyncDisposable {
  /**
   * Stores a file whole or not at all, in place of an earlier one, and returns its bytes. Throws `service_unavailable`,
   * or what the pieces or the signal throw.
   */
  write(key: string, pieces: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number>;
  /** Throws FileNotFound, or `service_unavailable`. */
  read(key: string, range?: FileRange): AsyncIterable<Uint8Array>;
  /** Deletes all files below a folder, also those whose writing was cut off. Throws `service_unavailable`. */
  deleteFolder(folder: string): Promise<void>;
}

export class FileNotFound extends Error {
  override name = "FileNotFound";
}

const keyShape = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Throws for a key that could leave its folder. */
export function requireKey(key: string): void {
  if (!keyShape.test(key)) throw new Error("no key of a file");
}

/** The store failed: the same call may succeed later. The log shows the cause. */
export function storeUnavailable(cause: unknown): AppError {
  const error = new AppError("service_unavailable", { part: "file storage" }, "The file storage is away or full.");
  error.cause = cause;
  return error;
}
