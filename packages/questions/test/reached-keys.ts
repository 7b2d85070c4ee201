import { answerKey } from "../src/answer-key.ts";
import type { SurveyDefinition } from "../src/definition.ts";
import { reachablePages, type Answers } from "../src/logic.ts";

/** Returns the keys of all elements that are shown. */
export function reachedKeys(definition: SurveyDefinition, answers: Answers): Set<string> {
  const keys = reachablePages(definition, answers).flatMap(({ shown, itemId }) =>
    shown.map(({ question }) => answerKey(question.elementId, itemId)),
  );
  return new Set(keys);
}
