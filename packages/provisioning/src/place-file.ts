import { link, rename, stat, writeFile } from "node:fs/promises";
import { OperationalError, systemErrorCode } from "./operational-error.ts";

/**
 * Throws OperationalError if `placeFile` would refuse the path, or put a file in the place of a device. Call it before
 * the work for the file.
 */
export async function requirePlace(path: string, { replace }: { replace: boolean }): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there?.isFile() === false) throw new OperationalError(`${path} is not a file; give the name of a file.`);
  if (there && !replace) throw alreadyExists(path);
}

/**
 * Gives a finished file its path. Unless `replace`, throws OperationalError if there is a file, and leaves the draft to
 * the caller. Throws the system's error otherwise.
 */
export async function placeFile(draft: string, path: string, { replace }: { replace: boolean }): Promise<void> {
  try {
    if (replace) return await rename(draft, path);
    // Unlike a rename, a link fails if another process has created the file meanwhile.
    await link(draft, path).catch(async (error: unknown) => {
      if (!noLinks.has(systemErrorCode(error))) throw error;
      await writeFile(path, "", { flag: "wx" });
      await rename(draft, path);
    });
  } catch (error) {
    throw systemErrorCode(error) === "EEXIST" ? alreadyExists(path, error) : error;
  }
}

/** Codes of file systems without hard links, such as FAT. */
const noLinks: ReadonlySet<string | undefined> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

const alreadyExists = (path: string, cause?: unknown) =>
  new OperationalError(`${path} already exists; give another file, or --force.`, { cause });
