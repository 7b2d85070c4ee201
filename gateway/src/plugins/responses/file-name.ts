import { extname } from "node:path/posix";

/** The longest name in common file systems. */
const mostBytes = 255;
const longestExtension = 20;

/** Returns a name that browsers can save: no path, no control or bidirectional characters, cut before its extension. */
export function fileName(text: string): string {
  const name = text.toWellFormed().replaceAll(/[/\\\p{Cc}\p{Bidi_C}\u2028\u2029]/gu, "_");
  const extension = Buffer.from(extname(name));
  const kept = extension.length <= longestExtension ? extension.toString() : "";
  const stem = name.slice(0, name.length - kept.length);
  return startOf(stem, mostBytes - Buffer.byteLength(kept)) + kept;
}

function startOf(text: string, bytes: number): string {
  // With `stream`, the decoder drops an incomplete last character.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, bytes), { stream: true });
}
