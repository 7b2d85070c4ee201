import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { OperationalError, reasonOf, systemErrorCode } from "@canvass/provisioning";

/** Tells whether the file has this content. Throws OperationalError for a file that cannot be read. */
export async function isCurrent(path: string, content: string): Promise<boolean> {
  const kept = await readFile(path, "utf8").catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw new OperationalError(`${path} cannot be read (${reasonOf(error)}).`, { cause: error });
  });
  // Git may check files out with other ends of lines.
  return kept?.replaceAll("\r\n", "\n") === content;
}

/** Writes the file whole, and returns whether it was another one before. */
export async function writeIfChanged(path: string, content: string): Promise<boolean> {
  if (await isCurrent(path, content)) return false;
  // A rename would put a file in the place of a device.
  if ((await stat(path).catch(() => undefined))?.isFile() === false)
    throw new OperationalError(`${path} is no file; give the name of a file to --out, or leave it out to print.`);
  const part = `${path}.${process.pid}.new`;
  try {
    await writeFile(part, content);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw new OperationalError(`${path} cannot be written (${reasonOf(error)}).`, { cause: error });
  }
  return true;
}
