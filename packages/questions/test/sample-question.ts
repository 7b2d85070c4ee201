import type { Question } from "../src/definition.ts";
import { buildQuestions } from "../src/new-questions.ts";
import { questionTypeOf } from "../src/catalogue.ts";
import type { AnswerStats, Tally } from "../src/tally.ts";
import { applyTally } from "../src/tally.ts";

/** Returns a source of ids that count up from `0000000000000001`. */
export function countingIds(): () => string {
  let last = 0;
  return () => String(++last).padStart(16, "0");
}

/** A question made as the API makes it. Throws with the violations when the input is not accepted. */
export function sampleQuestion(type: string, fields: Record<string, unknown> = {}): Question {
  const result = buildQuestions([{ type, text: "What?", ...fields }], countingIds());
  if ("violations" in result) throw new Error(JSON.stringify(result.violations));
  const [first] = result.questions;
  if (!first) throw new Error("no question");
  return first.question;
}

export type ValueTable = {
  good: readonly unknown[];
  /** Value, location of the first violation, words of its message. */
  bad: readonly (readonly [unknown, string, string])[];
};

/** Returns values whose check differs from the table: good ones with violations, bad ones without the expected one. */
export function surprises(question: Question, { good, bad }: ValueTable): unknown[] {
  const type = questionTypeOf(question);
  const checked = good.map((value) => ({ value, violations: type.checkValue(question, value) }));
  const evaluated = bad.map(([value, path, words]) => {
    const [violation] = type.checkValue(question, value);
    return { value, path, words, violation, isExpected: violation?.path === path && violation.message.includes(words) };
  });
  return [
    ...checked.filter(({ violations }) => violations.length > 0),
    ...evaluated.filter(({ isExpected }) => !isExpected),
  ];
}

/** The aggregate after some accepted answers, kept as the response service keeps it. */
export function statsOf(question: Question, values: readonly unknown[]): AnswerStats {
  const type = questionTypeOf(question);
  const tallies = values.map((value) => type.tally(question, value));
  return statsOfTallies(tallies);
}

export function statsOfTallies(tallies: readonly Tally[]): AnswerStats {
  const buckets = new Map<string, number>();
  for (const tally of tallies) applyTally(buckets, tally, 1);
  const numbers = tallies.map(({ number }) => number).filter((number) => number !== undefined);
  return {
    responseCount: tallies.length,
    buckets,
    sum: tallies.reduce((sum, tally) => sum + (tally.sum ?? 0n), 0n),
    min: numbers.length > 0 ? Math.min(...numbers) : null,
    max: numbers.length > 0 ? Math.max(...numbers) : null,
    numbers: new Map([...Map.groupBy(numbers, (number) => number)].map(([number, all]) => [number, all.length])),
  };
}

/** The distribution of some accepted answers. */
export function distributionOf(question: Question, values: readonly unknown[]): Record<string, unknown> {
  return questionTypeOf(question).distribution(question, statsOf(question, values));
}

/** The ids of a question's list. Throws if the list is missing. */
export function idsOf(list: readonly { id: string }[] | undefined): string[] {
  if (!list) throw new Error("the question has no such list");
  return list.map(({ id }) => id);
}

/** The question with one entry of a list retired. */
export function retire(question: Question, list: "choices" | "rows" | "columns", id: string): Question {
  const entries = (question[list] ?? []).map((entry) => (entry.id === id ? { ...entry, retired: true } : entry));
  return { ...question, [list]: entries };
}
