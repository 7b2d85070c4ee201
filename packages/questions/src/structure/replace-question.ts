import type { Violation } from "@canvass/inputs";
import { fitsQuestion } from "../conditions/condition-violations.ts";
import type { Condition } from "../conditions/condition.ts";
import type { Question, SurveyDefinition } from "../definition.ts";
import { findElement, indexOf } from "../definition-index.ts";
import { logicFields } from "../element-logic.ts";
import { comparisonViolations } from "../weight.ts";
import { elementLogicViolations, entryPath, newLogicViolations } from "./logic-violations.ts";
import { removeRules, type CleanedPage } from "./remove-rules.ts";

export type Replacement = { definition: SurveyDefinition; cleaned: CleanedPage[] } | { violations: Violation[] };

/** Also removes rules and conditions whose value the edit makes invalid. Throws if there is no such element. Yields per page. */
export function* replaceQuestion(definition: SurveyDefinition, question: Question): Generator<void, Replacement> {
  const place = findElement(definition, question.elementId);
  if (!place) throw new Error(`There is no element ${question.elementId}.`);
  const elements = place.page.elements.map((old) => (old === place.question ? question : old));
  const replaced = definition.pages.with(place.pageIndex, { ...place.page, elements });
  // An edit never changes the type, so only values can become invalid.
  const goes = (condition: Condition) => fitsQuestion(condition, place.question) && !fitsQuestion(condition, question);
  const { pages, cleaned } = removeRules(replaced, goes);
  const after = { ...definition, pages };
  const broken = yield* newLogicViolations(definition, after);
  const own = question.logic === place.question.logic ? [] : ownViolations(after, question.elementId);
  const at = `pages.${place.pageIndex}.elements.${place.page.elements.indexOf(place.question)}.`;
  const violations = [...own, ...broken.filter(({ path }) => own.length === 0 || !path.startsWith(at))];
  return violations.length > 0 ? { violations } : { definition: after, cleaned };
}

/** Located as in the body that gave the logic. */
function ownViolations(definition: SurveyDefinition, elementId: string): Violation[] {
  const place = findElement(definition, elementId)!;
  const { logic } = place.question;
  const [entryId] = Object.keys(logic?.entries ?? {});
  const entry = entryId === undefined ? undefined : `${entryPath(place.question, entryId)}.showIf`;
  const given = logicFields.find((field) => logic?.[field]) ?? entry;
  if (given === undefined) return [];
  return [...elementLogicViolations(place, indexOf(definition)), ...comparisonViolations(definition, given)];
}
