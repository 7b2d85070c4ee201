import type { Violation } from "@canvass/inputs";
import { fitsQuestion } from "../conditions/condition-violations.ts";
import type { Question, SkipRule, SurveyDefinition } from "../definition.ts";
import { findElement } from "../definition-index.ts";
import { newLogicViolations } from "./logic-violations.ts";
import { removeRules, type CleanedPage } from "./remove-rules.ts";

export type Replacement = { definition: SurveyDefinition; cleaned: CleanedPage[] } | { violations: Violation[] };

/** Also removes skip rules whose value the edit makes invalid. Throws if there is no such element. Yields per page. */
export function* replaceQuestion(definition: SurveyDefinition, question: Question): Generator<void, Replacement> {
  const place = findElement(definition, question.elementId);
  if (!place) throw new Error(`There is no element ${question.elementId}.`);
  const elements = place.page.elements.map((old) => (old === place.question ? question : old));
  const replaced = definition.pages.with(place.pageIndex, { ...place.page, elements });
  // An edit never changes the type, so only the rule's value can become invalid.
  const goes = ({ when }: SkipRule) => fitsQuestion(when, place.question) && !fitsQuestion(when, question);
  const { pages, cleaned } = removeRules(replaced, goes);
  const after = { ...definition, pages };
  const violations = yield* newLogicViolations(definition, after);
  return violations.length > 0 ? { violations } : { definition: after, cleaned };
}
