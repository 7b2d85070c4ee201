import { type Fault, faultAt, noFaults } from "./fault.ts";
import { isStorable } from "./json.ts";
import { unstorable } from "./shape.ts";

/** The number of characters as people count them: an emoji outside the basic plane is one. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Faults of a text answer against its length limits; also refuses what the database cannot store. */
export function checkText(value: unknown, least: number, most: number): readonly Fault[] {
  if (typeof value !== "string") return faultAt("", "must be text");
  // Twice the limit is too long in any script: a huge text is refused without being walked.
  if (value.length > most * 2) return faultAt("", `must have at most ${most} characters`);
  if (value.length > most && characterCount(value) > most) return faultAt("", `must have at most ${most} characters`);
  if (least > 0 && characterCount(value) < least) return faultAt("", `must have at least ${least} characters`);
  return isStorable(value) ? noFaults : faultAt("", unstorable);
}

/** Text questions: null and the empty text take an answer back (api-decisions, answers). */
export function isEmptyText(value: unknown): boolean {
  return value === null || value === "";
}

/** Every other question: only null takes an answer back. */
export function isNull(value: unknown): boolean {
  return value === null;
}
