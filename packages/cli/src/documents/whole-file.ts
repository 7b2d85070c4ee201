import { createReadStream } from "node:fs";
import { open, readFile, rm } from "node:fs/promises";
import { OperationalError, placeFile, reasonOf, requirePlace, systemErrorCode } from "@canvass/provisioning";
import { writeError } from "../write-error.ts";

/** Returns a file's text; undefined if there is no file. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw new OperationalError(`${path} cannot be read (${reasonOf(error)}).`, { cause: error });
  }
}

/** Larger than any file that the API accepts; it reports its own limits. Devices have no end. */
const mostBytes = 64 * 1_048_576;

/** Returns a file's bytes. Throws OperationalError if it does not exist, cannot be read or has more than 64 MiB. */
export async function readBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  try {
    // Reads one byte more, by which a larger file is known.
    for await (const chunk of createReadStream(path, { end: mostBytes })) chunks.push(chunk as Buffer);
  } catch (error) {
    throw new OperationalError(`${path} cannot be read (${reasonOf(error)}).`, { cause: error });
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length > mostBytes) throw new OperationalError(`${path} is larger than 64 MiB, which no import takes.`);
  return bytes;
}

const draftOf = (path: string): string => `${path}.${process.pid}.new`;

/** Throws unless `writeWhole` could replace a file there. Leaves nothing behind. */
export async function requireWritable(path: string): Promise<void> {
  await requirePlace(path, { replace: true });
  await (await open(draftOf(path), "w")).close();
  await rm(draftOf(path));
}

/** Writes a file whole or not at all. Unless `replace`, it is refused if there is one. */
export async function writeWhole(
  path: string,
  content: string | Uint8Array,
  { replace }: { replace: boolean },
): Promise<void> {
  await requirePlace(path, { replace });
  const draft = draftOf(path);
  try {
    {
      await using file = await open(draft, "w");
      await file.writeFile(content);
      await file.sync();
    }
    await placeFile(draft, path, { replace });
  } catch (error) {
    throw error instanceof OperationalError ? error : writeError(path, error);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}
