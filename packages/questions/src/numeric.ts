import { type Violation, violationAt, noViolations } from "@canvass/inputs";
import { counted } from "@canvass/values";
import { bucketOf, histogramOf } from "./histogram.ts";
import type { AnswerStats, Tally } from "./tally.ts";

/** Limit of numeric answers: below it, integers are exact and sums have at most 40 digits. */
export const largestNumber = 1e15;
/** The maximum number of decimals in settings, and the precision of sums. */
export const mostDecimals = 9;

const unitsPerOne = 10n ** BigInt(mostDecimals);

/** Converts a number to whole billionths, rounded to nine decimals. Arithmetic on the result is exact. */
export function toSumUnits(value: number): bigint {
  if (Number.isInteger(value)) return BigInt(value) * unitsPerOne;
  return BigInt(value.toFixed(mostDecimals).replace(".", ""));
}

/** Converts billionths to a number. Whole sums are exact within a double's precision. */
export function fromSumUnits(units: bigint): number {
  return Number(units / unitsPerOne) + Number(units % unitsPerOne) / Number(unitsPerOne);
}

export function checkNumber(value: unknown, min: number | null, max: number | null): readonly Violation[] {
  if (typeof value !== "number" || !Number.isFinite(value)) return violationAt("", "must be a number");
  const least = min ?? -largestNumber;
  const most = max ?? largestNumber;
  if (value < least) return violationAt("", `must be at least ${least}`);
  return value > most ? violationAt("", `must be at most ${most}`) : noViolations;
}

export function fitsDecimals(value: number, decimals: number): boolean {
  return Number.isInteger(value) || Number(value.toFixed(decimals)) === value;
}

export function tooManyDecimals(most: number): string {
  return `must have at most ${counted(most, "decimal")}`;
}

export function numericTally(value: unknown): Tally {
  const number = value as number;
  return { buckets: { [bucketOf(number)]: 1 }, sum: toSumUnits(number), number };
}

export function numericDistribution(stats: AnswerStats): Record<string, unknown> {
  const histogram = histogramOf(stats);
  const total = histogram.reduce((sum, { count }) => sum + count, 0);
  return {
    mean: total > 0 ? fromSumUnits(stats.sum) / total : null,
    min: total > 0 ? stats.min : null,
    max: total > 0 ? stats.max : null,
    histogram,
  };
}
