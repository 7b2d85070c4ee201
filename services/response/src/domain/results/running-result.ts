import { applyTally, isEdgeNumber, mostNumbers, type Tally } from "@canvass/questions";
import type { QuestionResult } from "./question-stats.ts";

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** A question's figures while answers are being counted. Its memory does not grow with their number. */
export interface RunningResult extends Mutable<QuestionResult> {
  buckets: Map<string, number>;
  numbers: Map<number, number>;
  /** False: there were too many different numbers, so only those at edges of bars are kept. */
  hasAllNumbers: boolean;
}

export const createRunningResult = (): RunningResult => ({
  responses: 0,
  respondents: 0,
  sum: 0n,
  buckets: new Map(),
  min: null,
  max: null,
  numbers: new Map(),
  hasAllNumbers: true,
});

/** Adds equal answers as counters do (`countAnswer`). */
export function addAnswers(result: RunningResult, tally: Tally, times: number): void {
  result.responses += times;
  applyTally(result.buckets, tally, times);
  if (tally.sum !== undefined) result.sum += tally.sum * BigInt(times);
  if (tally.number !== undefined) addNumber(result, tally.number, times);
}

function addNumber(result: RunningResult, number: number, times: number): void {
  const { numbers, min, max } = result;
  if (min === null || number < min) result.min = number;
  if (max === null || number > max) result.max = number;
  if (result.hasAllNumbers || isEdgeNumber(number)) numbers.set(number, (numbers.get(number) ?? 0) + times);
  if (!result.hasAllNumbers || numbers.size <= mostNumbers) return;
  result.hasAllNumbers = false;
  for (const each of numbers.keys()) if (!isEdgeNumber(each)) numbers.delete(each);
}
