import { type Violation, violationAt, noViolations } from "@canvass/inputs";
import { type AnswerStats, oneBucket, type Tally } from "./tally.ts";

const tallies = { true: oneBucket("true"), false: oneBucket("false") };

export function checkBoolean(value: unknown): readonly Violation[] {
  return typeof value === "boolean" ? noViolations : violationAt("", "must be true or false");
}

export function booleanTally(value: unknown): Tally {
  return value === true ? tallies.true : tallies.false;
}

export function booleanCounts({ buckets }: AnswerStats): Record<string, unknown> {
  return { counts: { true: buckets.get("true") ?? 0, false: buckets.get("false") ?? 0 } };
}
