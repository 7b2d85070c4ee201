import { AppError } from "@canvass/errors";
import { characterCount } from "@canvass/values";
import { visit } from "jsonc-parser";

const replacement = Buffer.from("\uFFFD");

export function notUtf8Error(bytes: Buffer): AppError {
  let at = 0;
  for (const character of bytes.toString()) {
    if (character === "\uFFFD" && !bytes.subarray(at, at + replacement.length).equals(replacement)) break;
    at += Buffer.byteLength(character);
  }
  const details = { body: [`must be UTF-8: byte ${at + 1} begins no character`] };
  return new AppError("malformed_json", details, "The body is not UTF-8.");
}

export function malformedJson(text: string): AppError {
  const lines = text.slice(0, endOfJson(text)).split("\n");
  const [line, column] = [lines.length, characterCount(lines.at(-1)!) + 1];
  const message = `The body is no JSON from line ${line}, column ${column} on.`;
  return new AppError("malformed_json", { body: [`stops being JSON at line ${line}, column ${column}`] }, message);
}

/** Finds the offset with another parser, since `JSON.parse` does not always report it. */
function endOfJson(text: string): number {
  let end = text.length;
  let isFound = false;
  const onError = (_error: unknown, offset: number) => {
    if (!isFound) end = offset;
    isFound = true;
  };
  visit(text, { onError }, { disallowComments: true, allowTrailingComma: false });
  return end;
}
