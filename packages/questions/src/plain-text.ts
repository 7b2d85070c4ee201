import { type Fault, faultAt, noFaults } from "./fault.ts";
import { isStorable } from "./json.ts";
import { unstorable } from "./shape.ts";

// Numbers are written below some of the format characters (Unicode calls them prepended concatenation marks): those
// are seen. The empty braille pattern is the one blank that has none of these properties. What can not be stored is
// left to the check that says so.
const visible =
  /[[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800][\0\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]/v;

/** True for text that shows nothing: empty, or only blanks and invisible characters. */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}

/** The number of characters as people count them: an emoji outside the basic plane is one. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Faults of a text answer against its length limits; also refuses what the database cannot store. */
export function checkText(value: unknown, least: number, most: number): readonly Fault[] {
  if (typeof value !== "string") return faultAt("", "must be text");
  const length = lengthFault(value, least, most);
  const faults = length === null ? noFaults : faultAt("", length);
  return isStorable(value) ? faults : [...faults, { path: "", message: unstorable }];
}

function lengthFault(text: string, least: number, most: number): string | null {
  // Twice the limit is too long in any script: a huge text is refused without being walked.
  const isTooLong = text.length > most * 2 || (text.length > most && characterCount(text) > most);
  if (isTooLong) return `must have at most ${most} characters`;
  if (least === 0) return null;
  if (characterCount(text) < least) return `must have at least ${least} characters`;
  return isBlank(text) ? "must not be blank" : null;
}

/** Text questions: null and text that shows nothing take an answer back. */
export function isEmptyText(value: unknown): boolean {
  return value === null || (typeof value === "string" && isBlank(value));
}

/** Every other question: only null takes an answer back. */
export function isNull(value: unknown): boolean {
  return value === null;
}
