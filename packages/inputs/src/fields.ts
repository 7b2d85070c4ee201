import { Type, type TProperties } from "typebox";
import { idPattern, placePattern } from "@canvass/values";
import { languageTagPattern } from "@canvass/values";
import { longestTimestamp } from "@canvass/values";

/**
 * Extension keywords for `checkShape`. `x-expected` completes the sentence "must be ...". `x-visible` requires visible
 * text (contract 2.9). `x-max-json-bytes` limits the JSON of an object. `x-judged-by` names what validates instead:
 * with "existence" `checkShape` does not validate the form of an id, because a malformed id counts as absent
 * (contract 2.5); with the others it validates nothing, because the service's own code ("catalogue"), `checkCondition`
 * ("condition") or the question's type ("question") does.
 */
interface OwnKeywords {
  "x-expected"?: string;
  "x-visible"?: boolean;
  "x-max-json-bytes"?: number;
  "x-judged-by"?: "existence" | "catalogue" | "condition" | "question";
}
type Keywords = OwnKeywords & { description?: string; minLength?: number; default?: string; examples?: string[] };

const string = (options: Keywords & { pattern?: string; maxLength?: number; format?: string }) =>
  Type.String({ ...options });

export const closed = <Properties extends TProperties>(properties: Properties, options: object = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false });

/** An enum of strings. The explicit type lets the gateway reject other values. */
export const word = <Word extends string>(words: readonly Word[], options: object = {}) =>
  Type.Unsafe<Word>({ ...options, type: "string", enum: words });

export const limitedText = (maxLength: number, options: Keywords = {}) =>
  string({ ...options, maxLength, "x-expected": `text of at most ${maxLength} characters` });

/** The value of a filter: at least one character, because an empty one would not filter. */
export const sought = (maxLength: number, description: string) =>
  string({ minLength: 1, maxLength, description, "x-expected": `text of 1 to ${maxLength} characters` });

/** Text of 1 to `maxLength` characters, at least one visible. */
export const visibleText = (maxLength: number, options: Keywords = {}) =>
  string({
    ...options,
    minLength: 1,
    maxLength,
    pattern: "\\S",
    "x-visible": true,
    "x-expected": `text of 1 to ${maxLength} characters`,
  });

const control = "\\u0000-\\u001f\\u007f-\\u009f";
const invisible = "\\u00ad\\u115f\\u1160\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\uffa0";

export const nameText = (maxLength: number, description: string) =>
  string({
    minLength: 1,
    maxLength,
    pattern: `^[^${control}]*[^${control}\\s${invisible}][^${control}]*$`,
    description,
    "x-expected": `one line of 1 to ${maxLength} characters, not only invisible ones`,
  });

/** Text of 1 to `maxLength` characters without blanks and invisible characters. */
export const codeText = (maxLength: number, description: string) =>
  string({
    minLength: 1,
    maxLength,
    pattern: `^[^${control}\\s${invisible}]+$`,
    description,
    "x-expected": `1 to ${maxLength} characters without blanks`,
  });

/** A date-time (contract 2.10). The service checks that there is such a moment. */
export const timestampText = (description: string) =>
  string({
    format: "date-time",
    maxLength: longestTimestamp,
    description,
    "x-expected": "a date-time such as 2026-01-31T09:00:00Z",
  });

export const reference = (thing: string, description: string) =>
  string({
    pattern: idPattern,
    description,
    "x-expected": `the id of ${thing} (16 lower-case letters and digits)`,
  });

export const placeReference = (thing: string, description: string) =>
  string({ pattern: placePattern, description, "x-expected": `the id of ${thing}` });

/** An id without validation of its form; a lookup finds nothing for a malformed id. */
export const lookupId = (thing: string, description: string) =>
  string({ pattern: idPattern, description, "x-expected": `the id of ${thing}`, "x-judged-by": "existence" });

export const lookupPlace = (thing: string, description: string) =>
  Type.String({ ...placeReference(thing, description), "x-judged-by": "existence" });

export const idempotencyKeyPattern = "^[\\x21-\\x7e]{1,128}$";

export const idempotencyKeyText = (description: string) =>
  string({
    pattern: idempotencyKeyPattern,
    description,
    "x-expected": "1 to 128 visible ASCII characters",
  });

export const languageTag = string({
  pattern: languageTagPattern,
  description: "language tag (BCP 47)",
  examples: ["en", "pt-BR"],
  "x-expected": "a language tag such as de or pt-BR",
});

const ownObjectKib = 4;

/**
 * A free-form object, which is stored or passed on unchanged. `known` are its members with a meaning; others stay open.
 */
export const ownObject = (
  about: string,
  { kib = ownObjectKib, known = {} }: { kib?: number; known?: TProperties } = {},
) =>
  Type.Unsafe<Record<string, unknown>>({
    type: "object",
    ...(Object.keys(known).length > 0 && { properties: known }),
    additionalProperties: true,
    "x-max-json-bytes": kib * 1_024,
    description: `${about}; at most ${kib} KiB`,
  });
