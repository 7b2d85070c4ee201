import { longestFileName } from "@canvass/inputs";

/** Controls, characters that reverse or hide text, lone surrogates, and those special to file systems or shells. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}<>:"|?*]/gu;
const blank = /\s+/gu;
const edges = /^[\s.]+|[\s.]+$/gu;
/** Names of devices on Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/iu;

/** Makes a file name safe: no folders, nothing invisible, one line, 1 to 255 characters and bytes, same extension. */
export function cleanFileName(given: string): string {
  const last = given.normalize("NFC").split(/[/\\]/u).at(-1)!;
  const plain = last.replace(unsafe, "").replace(blank, " ").replace(edges, "");
  const extension = extensionOf(plain);
  const base = extension ? plain.slice(0, -extension.length - 1) : plain;
  const end = extension ? `.${extension}` : "";
  const kept = shortened(base.replace(edges, "") || "file", longestFileName - end.length);
  return `${device.test(`${kept}${end}`) ? "_" : ""}${kept}${end}`;
}

export function extensionOf(name: string): string {
  return /\.([A-Za-z0-9]{1,10})$/u.exec(name)?.[1] ?? "";
}

/** Cuts between characters, leaving a byte for an underscore. */
function shortened(text: string, most: number): string {
  if (Buffer.byteLength(text) < most) return text;
  let kept = "";
  let bytes = 1;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    kept += character;
  }
  return kept;
}
