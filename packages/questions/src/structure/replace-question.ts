import type { Fault } from "@canvass/inputs";
import type { Question, SkipRule, SurveyDefinition } from "../definition.ts";
import { findElement } from "../definition-index.ts";
import { fitsCondition, newLogicFaults } from "./logic-faults.ts";
import { removeRules, type CleanedPage } from "./remove-rules.ts";

export type Replacement = { definition: SurveyDefinition; cleaned: CleanedPage[] } | { faults: Fault[] };

/**
 * Replaces a question by its edited version. Removes skip rules that compare with an entry the edit retires or removes.
 * Returns faults if the edit would break a page's loop or skip logic. Throws if there is no such element. Yields after
 * each page.
 */
export function* replaceQuestion(definition: SurveyDefinition, question: Question): Generator<void, Replacement> {
  const place = findElement(definition, question.elementId);
  if (!place) throw new Error(`There is no element ${question.elementId}.`);
  const elements = place.page.elements.map((old) => (old === place.question ? question : old));
  const replaced = definition.pages.with(place.pageIndex, { ...place.page, elements });
  // An edit never changes the type, so only the rule's value can become invalid.
  const goes = ({ when }: SkipRule) =>
    when.elementId === question.elementId && fitsCondition(place.question, when) && !fitsCondition(question, when);
  const { pages, cleaned } = removeRules(replaced, goes);
  const faults = yield* newLogicFaults(definition, { pages });
  return faults.length > 0 ? { faults } : { definition: { pages }, cleaned };
}
