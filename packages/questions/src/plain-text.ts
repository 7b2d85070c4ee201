import { type Violation, violationAt, noViolations } from "@canvass/inputs";
import { characterCount, counted, isBlank, isLongerThan, isStorable, unstorableTextMessage } from "@canvass/values";

/** Returns the violations of a text answer: its length, and characters that the database cannot store. */
export function checkText(value: unknown, least: number, most: number): readonly Violation[] {
  if (typeof value !== "string") return violationAt("", "must be text");
  const length = lengthViolation(value, least, most);
  const violations = length === null ? noViolations : violationAt("", length);
  return isStorable(value) ? violations : [...violations, { path: "", message: unstorableTextMessage }];
}

function lengthViolation(text: string, least: number, most: number): string | null {
  if (isLongerThan(text, most)) return `must have at most ${counted(most, "character")}`;
  if (least === 0) return null;
  if (characterCount(text) < least) return `must have at least ${counted(least, "character")}`;
  return isBlank(text) ? "must not be blank" : null;
}

/** For text questions: null and text without visible characters withdraw an answer. */
export function isEmptyText(value: unknown): boolean {
  return value === null || (typeof value === "string" && isBlank(value));
}

/** For other questions: only null withdraws an answer. */
export function isNull(value: unknown): boolean {
  return value === null;
}
