import { extname } from "node:path/posix";

/** The longest name that common file systems take. */
const mostBytes = 255;
/** More is no extension. */
const longestExtension = 20;

/** A name that browsers can save: no path, no controls, nothing that reverses text, bounded, with its extension. */
export function fileName(text: string): string {
  const name = text.toWellFormed().replaceAll(/[/\\\p{Cc}\p{Bidi_C}\u2028\u2029]/gu, "_");
  const extension = Buffer.from(extname(name));
  const kept = extension.length <= longestExtension ? extension.toString() : "";
  const stem = name.slice(0, name.length - kept.length);
  return startOf(stem, mostBytes - Buffer.byteLength(kept)) + kept;
}

/** As many whole characters as fit. */
function startOf(text: string, bytes: number): string {
  // As a stream it leaves out the character that is cut.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, bytes), { stream: true });
}
