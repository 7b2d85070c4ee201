import { Type, type TProperties } from "typebox";
import { idPattern, placePattern } from "@canvass/values";
import { languageTagPattern } from "@canvass/values";
import { longestMoment } from "@canvass/values";

/**
 * Keywords beside JSON Schema, for `checkShape`: - `x-expected` ends the sentence "must be …" where the description
 * does not fit; - `x-visible` requires visible text (contract 2.9), which a pattern only approximates; -
 * `x-max-json-bytes` bounds a free object; - `x-judged-by` leaves the rest to others: "existence" an id's form to its
 * look-up, since a malformed id is absent (contract 2.5); "catalogue" and "question" all to the settings or question
 * types.
 */
interface OwnKeywords {
  "x-expected"?: string;
  "x-visible"?: boolean;
  "x-max-json-bytes"?: number;
  "x-judged-by"?: "existence" | "catalogue" | "question";
}
type Keywords = OwnKeywords & { description?: string; minLength?: number; default?: string; examples?: string[] };

const string = (options: Keywords & { pattern?: string; maxLength?: number; format?: string }) =>
  Type.String({ ...options });

export const closed = <Properties extends TProperties>(properties: Properties, options: object = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false });

/** One of some words. Typed as text, so that the edge stops other values. */
export const word = <Word extends string>(words: readonly Word[], options: object = {}) =>
  Type.Unsafe<Word>({ ...options, type: "string", enum: words });

export const limitedText = (maxLength: number, options: Keywords = {}) =>
  string({ ...options, maxLength, "x-expected": `text of at most ${maxLength} characters` });

/** 1 to `maxLength` characters, some visible. */
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
/** Invisible characters that names may not consist of. */
const invisible = "\\u00ad\\u115f\\u1160\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\uffa0";

/** A name in one line: not only blanks and invisible characters, no control characters. */
export const nameText = (maxLength: number, description: string) =>
  string({
    minLength: 1,
    maxLength,
    pattern: `^[^${control}]*[^${control}\\s${invisible}][^${control}]*$`,
    description,
    "x-expected": `one line of 1 to ${maxLength} characters, not only invisible ones`,
  });

/** A moment (contract 2.10); its service checks that it is one. */
export const momentText = (description: string) =>
  string({
    format: "date-time",
    maxLength: longestMoment,
    description,
    "x-expected": "a date-time such as 2026-01-31T09:00:00Z",
  });

/** The id of `thing`, which has its article. */
export const reference = (thing: string, description: string) =>
  string({
    pattern: idPattern,
    description,
    "x-expected": `the id of ${thing} (16 lower-case letters and digits)`,
  });

/** The place of a question or page for a respondent. */
export const placeReference = (thing: string, description: string) =>
  string({ pattern: placePattern, description, "x-expected": `the id of ${thing}` });

/** An id whose form is judged by its look-up. */
export const soughtId = (thing: string, description: string) =>
  string({ pattern: idPattern, description, "x-expected": `the id of ${thing}`, "x-judged-by": "existence" });

/** The same, judged by its look-up. */
export const soughtPlace = (thing: string, description: string) =>
  Type.String({ ...placeReference(thing, description), "x-judged-by": "existence" });

export const idempotencyKeyPattern = "^[\\x21-\\x7e]{1,128}$";

/** An `Idempotency-Key` (contract 3.4). */
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

/** Largest JSON of a free object. */
const ownObjectBytes = 4096;

/** An object with free content, stored or passed on unchanged. `about`: its purpose. */
export const ownObject = (about: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: "object",
    additionalProperties: true,
    "x-max-json-bytes": ownObjectBytes,
    description: `${about}; at most ${ownObjectBytes / 1024} KiB`,
  });
