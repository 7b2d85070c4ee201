import { AppError } from "@canvass/errors";

export interface FileRange {
  start: number;
  end: number;
}

/** Files by key: names of letters, digits, `.`, `_` and `-`, with `/` between folders. Reads and writes are streams. */
export interface FileStore extends AsyncDisposable {
  /** Stores a complete file or nothing, and returns its size in bytes. Throws `service_unavailable`. */
  write(key: string, chunks: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number>;
  read(key: string, range?: FileRange): AsyncIterable<Uint8Array>;
  /** Deletes all files in a folder, including those of interrupted writes. Throws `service_unavailable`. */
  deleteFolder(folder: string): Promise<void>;
}

export class FileNotFound extends Error {
  override name = "FileNotFound";
}

const keyShape = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Throws for a key that could escape its folder. */
export function requireKey(key: string): void {
  if (!keyShape.test(key)) throw new Error("no key of a file");
}

export function storeUnavailable(cause: unknown): AppError {
  const error = new AppError("service_unavailable", { part: "file storage" }, "The file storage is away or full.");
  error.cause = cause;
  return error;
}
