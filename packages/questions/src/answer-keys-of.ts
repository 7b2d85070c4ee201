import { answerKey } from "./answer-key.ts";
import { choicesAndOther } from "./chosen-choices.ts";
import type { SurveyDefinition } from "./definition.ts";
import { findElement } from "./definition-index.ts";

/** Returns all keys that answers to an element may have: one, or one for each item of its page's loop. */
export function answerKeysOf(definition: SurveyDefinition, elementId: string): string[] {
  const element = findElement(definition, elementId);
  if (!element) return [];
  const { loop } = element.page;
  if (loop === null) return [elementId];
  const source = findElement(definition, loop.elementId);
  return source ? choicesAndOther(source.question).map(({ id }) => answerKey(elementId, id)) : [];
}
