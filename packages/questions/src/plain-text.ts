import { type Fault, faultAt, noFaults } from "@canvass/inputs";
import { characterCount, isBlank, isLongerThan, isStorable, unstorable } from "@canvass/values";

/** Faults of a text answer against its length limits; also refuses what the database cannot store. */
export function checkText(value: unknown, least: number, most: number): readonly Fault[] {
  if (typeof value !== "string") return faultAt("", "must be text");
  const length = lengthFault(value, least, most);
  const faults = length === null ? noFaults : faultAt("", length);
  return isStorable(value) ? faults : [...faults, { path: "", message: unstorable }];
}

function lengthFault(text: string, least: number, most: number): string | null {
  if (isLongerThan(text, most)) return `must have at most ${most} characters`;
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
