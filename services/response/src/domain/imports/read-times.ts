import type { Violation } from "@canvass/inputs";
import { parseInstant, startOfDay } from "@canvass/values";
import { parseTimestamp } from "@canvass/questions";

export interface RowTimes {
  startedAt: Date;
  endedAt: Date;
}

const expected = "must be a date-time with its offset such as 2026-01-31T09:00:00Z, or a date";

/**
 * Reads when a respondent started and completed. A date is the beginning of that day in the time zone. If a row has only
 * one of the times, both are equal; if none, both are `at`.
 */
export function readTimes(
  given: Readonly<Record<"startedAt" | "completedAt", string | null>>,
  { at, timeZone }: { at: Date; timeZone: string },
): { times: RowTimes; violations: Violation[] } {
  const violations: Violation[] = [];
  const read = (path: "startedAt" | "completedAt"): Date | null => {
    const text = given[path];
    if (text === null) return null;
    const time = readTime(text.trim(), timeZone);
    if (time && time.getTime() >= 0 && time <= at) return time;
    violations.push({ path, message: time ? "must be from 1970 to the time of the import" : expected });
    return null;
  };
  const [started, completed] = [read("startedAt"), read("completedAt")];
  const startedAt = started ?? completed ?? at;
  const endedAt = completed ?? startedAt;
  if (endedAt < startedAt) violations.push({ path: "completedAt", message: "must not be earlier than startedAt" });
  return { times: { startedAt, endedAt }, violations };
}

function readTime(text: string, timeZone: string): Date | null {
  return parseTimestamp("date", text) === null ? parseInstant(text) : startOfDay(timeZone, text);
}
