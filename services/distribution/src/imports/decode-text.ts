import { isUtf8 } from "node:buffer";

/** The text of a file: by its byte order mark, else UTF-8 where it is that, else Windows-1252 as spreadsheets write it. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return isUtf8(bytes) ? "utf-8" : "windows-1252";
}
