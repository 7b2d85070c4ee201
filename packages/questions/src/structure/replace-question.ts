import type { Fault } from "@canvass/inputs";
import type { Question, SkipRule, SurveyDefinition } from "../definition.ts";
import { findElement } from "../definition-index.ts";
import { fitsCondition, newLogicFaults } from "./logic-faults.ts";
import { removeRules, type CleanedPage } from "./remove-rules.ts";

export type Replacement = { definition: SurveyDefinition; cleaned: CleanedPage[] } | { faults: Fault[] };

/**
 * The definition with an edited question in its place. Skip rules that compare with an entry the edit retires or takes
 * away go with it, as they do with a whole question. Refused when a page repeats for the several answers that the edit
 * takes away. Throws when there is no such element. May be interrupted.
 */
export function* replaceQuestion(definition: SurveyDefinition, question: Question): Generator<void, Replacement> {
  const place = findElement(definition, question.elementId);
  if (!place) throw new Error(`There is no element ${question.elementId}.`);
  const elements = place.page.elements.map((old) => (old === place.question ? question : old));
  const replaced = definition.pages.with(place.pageIndex, { ...place.page, elements });
  // Only what it compares with can make a rule unfit: no edit changes the type.
  const goes = ({ when }: SkipRule) =>
    when.elementId === question.elementId && fitsCondition(place.question, when) && !fitsCondition(question, when);
  const { pages, cleaned } = removeRules(replaced, goes);
  const faults = yield* newLogicFaults(definition, { pages });
  return faults.length > 0 ? { faults } : { definition: { pages }, cleaned };
}
