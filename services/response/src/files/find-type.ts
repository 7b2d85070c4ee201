import { fileTypeFromBuffer } from "file-type";
import type { FoundType } from "./judge-content.ts";

/** Bytes from the beginning of a file that tell its type. */
export const headBytes = 64 * 1024;

/** Types that two letters of a text can be taken for. */
const weak = new Set(["bmp", "exe", "ps", "eps", "Z", "mp3", "aac", "bz2", "elf"]);
/** What texts do not hold. */
const binary = new RegExp("[\\u0000-\\u0008\\u000e-\\u001a\\u001c-\\u001f]");

/** What the first bytes of a file tell it is. Whatever they are, this takes a few milliseconds. */
export async function findType(head: Uint8Array): Promise<FoundType> {
  // What seems to be a file of some type and breaks off is told as an error.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  return found && weak.has(found.ext) && !binary.test(Buffer.from(head).toString("latin1")) ? undefined : found;
}
