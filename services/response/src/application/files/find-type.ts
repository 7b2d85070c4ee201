import { fileTypeFromBuffer } from "file-type";
import type { FoundType } from "./judge-content.ts";

/** Bytes from the beginning of a file that tell its type. */
export const headBytes = 64 * 1024;

/** Types that two letters of a text can be taken for. */
const weak = new Set(["bmp", "exe", "ps", "eps", "Z", "mp3", "aac", "bz2", "elf"]);

/** What the first bytes of a file tell it is. Whatever they are, this takes a few milliseconds. */
export async function findType(head: Uint8Array): Promise<FoundType> {
  // What seems to be a file of some type and breaks off is told as an error.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  return found && weak.has(found.ext) && !head.some(isBinary) ? undefined : found;
}

/** Texts hold no control characters but blanks, ends of lines and pages, and the escape of terminals. */
function isBinary(byte: number): boolean {
  return byte < 9 || (byte > 13 && byte < 32 && byte !== 27);
}
