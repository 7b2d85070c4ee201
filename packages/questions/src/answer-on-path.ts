import { answerKey } from "./answer-key.ts";
import type { PlacedElement } from "./definition-index.ts";
import type { Walk } from "./walk.ts";
import { withoutEntries } from "./without-entries.ts";

/** Returns what counts of an answer: nothing of a hidden element, and no choice or row that is not shown. */
export function answerOnPath({ answers, hiddenOf }: Walk, element: PlacedElement, itemId: string | null): unknown {
  const answer = answers.get(answerKey(element.question.elementId, itemId));
  if (answer === undefined || element.type.isEmpty(answer)) return undefined;
  const hidden = hiddenOf(element, itemId);
  if (hidden === "all") return undefined;
  return hidden.size > 0 ? withoutEntries(answer, hidden) : answer;
}
