import { questionTypeOf } from "../catalogue.ts";
import { resolveChoiceNames } from "../default-value.ts";
import type { Question } from "../definition.ts";
import type { PrefillName } from "./prefill-names.ts";

const written = /^[+-]?\d{1,20}(?:\.\d{1,20})?$/;
const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  "1": true,
  false: false,
  no: false,
  "0": false,
};

/**
 * Reads the answer that texts of an address give: one, or several for several choices. Choices are named by code, id or
 * text. Undefined if it is no valid answer.
 */
export function readPrefilled(question: Question, { codes }: PrefillName, texts: readonly string[]): unknown {
  const entries = texts.map((text) => resolveChoiceNames(question, Object.hasOwn(codes, text) ? codes[text]! : text));
  const [first = ""] = texts;
  const single: unknown[] = texts.length === 1 ? [...entries, ...valuesOf(first)] : [];
  const type = questionTypeOf(question);
  return [...single, entries].find((value) => !type.isEmpty(value) && type.checkValue(question, value).length === 0);
}

function valuesOf(text: string): unknown[] {
  const key = text.toLowerCase();
  return [...(written.test(text) ? [Number(text)] : []), ...(Object.hasOwn(booleans, key) ? [booleans[key]] : [])];
}
