import { validationFailed, violationAt } from "@canvass/inputs";
import { infinityMessage, unstorableMessages } from "@canvass/values";
import { createHash } from "node:crypto";
import { decode } from "../body-coding.ts";
import { parseJson, textOf } from "../parse-json.ts";
import type { Conversion, ConvertedText } from "./convert-document.ts";

/** Inflates and parses a document. `toJson` makes JSON of its text. Throws as bodies do (contract 1.6). */
export function readDocument(
  { bytes, coding, mostBytes }: Extract<Conversion, { kind: "read" }>,
  toJson: (text: string) => string,
): ConvertedText {
  const inflated = decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), coding, mostBytes);
  const digest = createHash("sha256").update(inflated).digest("hex");
  const value = parseJson(toJson(textOf(inflated)));
  // Written as JSON again, `1e400` would be null and mean the default.
  if (unstorableMessages(value).includes(infinityMessage)) throw validationFailed(violationAt("body", infinityMessage));
  return { text: JSON.stringify(value), digest };
}
