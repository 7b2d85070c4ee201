import { Type, type TProperties } from "typebox";
import { idPattern, placePattern } from "./ids.ts";
import { languageTagPattern } from "./language-tag.ts";

/**
 * The kinds of fields that bodies and queries are made of: JSON Schema for documents and for the edge, and for
 * `checkShape` in the services these words of our own besides:
 * - `x-expected` ends the sentence "must be …" where the description is about something else;
 * - `x-visible` wants something to see (contract 2.9), which a pattern can only come near to;
 * - `x-max-json-bytes` bounds an object of the caller's own;
 * - `x-judged-by` leaves the rest to somebody else: "existence" the form of an id to its look-up, since any other form is
 *   absent (contract 2.5), "catalogue" and "question" everything to the settings or the question types.
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

/** An object that takes no other fields than these. */
export const closed = <Properties extends TProperties>(properties: Properties, options: object = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false });

/** One of some words. Says that they are text, so that a body with anything else is not passed on to a service. */
export const word = <Word extends string>(words: readonly Word[], options: object = {}) =>
  Type.Unsafe<Word>({ ...options, type: "string", enum: words });

/** Text of at most so many characters. */
export const limitedText = (maxLength: number, options: Keywords = {}) =>
  string({ ...options, maxLength, "x-expected": `text of at most ${maxLength} characters` });

/** Text of 1 to so many characters with something to see. */
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
/** Characters that nobody sees, of those that names are refused for when they hold nothing else. */
const invisible = "\\u00ad\\u115f\\u1160\\u200b-\\u200f\\u2060-\\u206f\\u2800\\u3164\\uffa0";

/** A name in one line: something to see, no control characters. */
export const lineOfText = (maxLength: number, description: string, blank = "") =>
  string({
    minLength: 1,
    maxLength,
    pattern: `^[^${control}]*[^${control}\\s${blank}][^${control}]*$`,
    description,
  });

/** A name that `nameFaults` judges: as a line of text, and invisible characters alone show nothing. */
export const nameText = (maxLength: number, description: string) => lineOfText(maxLength, description, invisible);

const anId = "an id of 16 lower-case letters and digits";

/** An id that has to have the form of one. */
export const reference = (description: string) => string({ pattern: idPattern, description, "x-expected": anId });

/** An id whose form is judged with its existence. */
export const soughtId = (description: string) =>
  string({ pattern: idPattern, description, "x-expected": anId, "x-judged-by": "existence" });

/** The place of a question or page in the survey that a respondent answers, judged with its existence. */
export const soughtPlace = (description: string) =>
  string({ pattern: placePattern, description, "x-expected": "an id", "x-judged-by": "existence" });

export const languageTag = string({
  pattern: languageTagPattern,
  description: "language tag (BCP 47)",
  examples: ["en", "pt-BR"],
  "x-expected": "a language tag such as de or pt-BR",
});

/** The most JSON of an object whose content is the caller's own. */
const ownObjectBytes = 4096;

/** An object whose content is the caller's own: stored or passed on as it came. `about`: what it is for. */
export const ownObject = (about: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: "object",
    additionalProperties: true,
    "x-max-json-bytes": ownObjectBytes,
    description: `${about}; at most ${ownObjectBytes / 1024} KiB`,
  });
