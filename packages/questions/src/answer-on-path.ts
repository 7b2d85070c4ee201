import type { PlacedElement } from "./definition-index.ts";
import type { Walk } from "./walk.ts";
import { withoutEntries } from "./without-entries.ts";

/** Returns what counts of an answer: nothing of a hidden element, and no choice or row that is not shown. */
export function answerOnPath({ answers, hidden, hiddenEntries }: Walk, { type }: PlacedElement, key: string): unknown {
  const answer = hidden.has(key) ? undefined : answers.get(key);
  if (answer === undefined || type.isEmpty(answer)) return undefined;
  const entries = hiddenEntries.get(key);
  return entries ? withoutEntries(answer, entries) : answer;
}
