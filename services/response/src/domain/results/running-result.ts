import { isEdgeNumber, mostNumbers } from "@canvass/questions";
import type { BatchChanges } from "../submissions/batch-changes.ts";
import type { QuestionResult } from "./question-stats.ts";

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** A question's figures while respondents are being counted. */
export interface RunningResult extends Mutable<QuestionResult> {
  buckets: Map<string, number>;
  numbers: Map<number, number>;
  /** False: there were too many different numbers, so only those at edges of bars are kept. */
  hasAllNumbers: boolean;
}

const nothing = (): RunningResult => ({
  responses: 0,
  respondents: 0,
  sum: 0n,
  buckets: new Map(),
  min: null,
  max: null,
  numbers: new Map(),
  hasAllNumbers: true,
});

/** Adds counted respondents, as counters add them. Memory does not grow with their number. */
export function addChanges(results: Map<string, RunningResult>, changes: BatchChanges): void {
  const of = (questionId: string) => {
    const result = results.get(questionId) ?? nothing();
    results.set(questionId, result);
    return result;
  };
  for (const { question_id, responses, respondents, sum } of changes.questions.values()) {
    const result = of(question_id);
    result.responses += responses;
    result.respondents += respondents;
    result.sum += sum;
  }
  for (const { question_id, bucket, count } of changes.buckets.values()) {
    const { buckets } = of(question_id);
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + count);
  }
  for (const { question_id, number, count } of changes.numbers.values()) addNumber(of(question_id), number, count);
}

function addNumber(result: RunningResult, number: number, count: number): void {
  const { numbers, min, max } = result;
  result.min = Math.min(min ?? number, number);
  result.max = Math.max(max ?? number, number);
  if (result.hasAllNumbers || isEdgeNumber(number)) numbers.set(number, (numbers.get(number) ?? 0) + count);
  if (!result.hasAllNumbers || numbers.size <= mostNumbers) return;
  result.hasAllNumbers = false;
  for (const each of numbers.keys()) if (!isEdgeNumber(each)) numbers.delete(each);
}
