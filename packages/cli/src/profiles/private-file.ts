import { chmod, open } from "node:fs/promises";
import { dirname } from "node:path";
import {
  makeFolder,
  OperationalError,
  readJson,
  reasonOf,
  systemErrorCode,
  writePrivateJson,
} from "@canvass/provisioning";
import { writeError } from "../write-error.ts";

/**
 * Returns the parsed JSON of the file; undefined if there is no file. Throws OperationalError if others may read it.
 */
export async function readPrivateFile(path: string): Promise<unknown> {
  await refuseShared(path);
  return readJson(path).catch((error: unknown) => {
    throw new OperationalError(`${path} cannot be read (${reasonOf(error)}); mend it, or delete it and log in again.`);
  });
}

/** Writes the file whole or not at all, for its owner only (0600, folder 0700). */
export async function writePrivateFile(path: string, value: unknown): Promise<void> {
  const folder = dirname(path);
  try {
    makeFolder(folder);
    await chmod(folder, 0o700);
    await writePrivateJson(path, value);
  } catch (error) {
    throw writeError(path, error, "nothing of it has changed");
  }
}

async function refuseShared(path: string): Promise<void> {
  try {
    await using file = await open(path);
    const { mode } = await file.stat();
    // Windows has no such modes.
    if (process.platform === "win32" || (mode & 0o077) === 0) return;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return;
    throw new OperationalError(`${path} cannot be read (${reasonOf(error)}).`, { cause: error });
  }
  throw new OperationalError(
    `${path} may be read by others. It holds tokens: replace them, then run: chmod 600 ${path}`,
  );
}
