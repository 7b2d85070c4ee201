import { fileTypeFromBuffer } from "file-type";
import type { FoundType } from "./validate-content.ts";

export const headBytes = 64 * 1024;

/** Types whose short signatures ordinary text can match. */
const weak = new Set(["bmp", "exe", "ps", "eps", "Z", "mp3", "aac", "bz2", "elf"]);

export async function findType(head: Uint8Array): Promise<FoundType> {
  // The library throws if a file of a known type is truncated.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  return found && weak.has(found.ext) && !head.some(isBinary) ? undefined : found;
}

function isBinary(byte: number): boolean {
  return byte < 9 || (byte > 13 && byte < 32 && byte !== 27);
}
