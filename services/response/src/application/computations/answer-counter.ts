import type { PlacedElement } from "@canvass/questions";
import { addAnswers, type RunningResult } from "../../domain/results/running-result.ts";

/** Counts the answers at one place, by value where values are simple, so that each value is tallied once. */
export interface AnswerCounter {
  add(value: unknown): void;
  /** Adds to the result what was counted by value. */
  settle(): void;
}

/** Values counted before they are added to the result, so that texts take a bounded memory. */
const mostValues = 100;

export function createAnswerCounter({ question, type }: PlacedElement, result: RunningResult): AnswerCounter {
  const counts = new Map<unknown, number>();
  const settle = () => {
    for (const [value, times] of counts) addAnswers(result, type.tally(question, value), times);
    counts.clear();
  };
  return {
    add(value) {
      if (typeof value === "object") {
        addAnswers(result, type.tally(question, value), 1);
        return;
      }
      counts.set(value, (counts.get(value) ?? 0) + 1);
      if (counts.size === mostValues) settle();
    },
    settle,
  };
}
