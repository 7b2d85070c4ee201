import { isUtf8 } from "node:buffer";

/**
 * Decodes by byte order mark, else by the declared charset (a WHATWG label), else as UTF-8. Invalid UTF-8 without any
 * line of valid non-ASCII text is taken for Windows-1252, which spreadsheets write. Invalid bytes become U+FFFD.
 * Throws a RangeError for an unknown charset.
 */
export function decodeText(bytes: Uint8Array, declared = ""): string {
  return new TextDecoder(markedCharset(bytes) ?? (declared || likelyCharset(bytes))).decode(bytes);
}

function markedCharset(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

const lineFeed = 0x0a;
const lastAscii = 0x7f;

function likelyCharset(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return "utf-8";
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(lineFeed, from);
    const line = bytes.subarray(from, end === -1 ? bytes.length : end);
    if (isUtf8(line) && line.some((byte) => byte > lastAscii)) return "utf-8";
    from += line.length + 1;
  }
  return "windows-1252";
}
