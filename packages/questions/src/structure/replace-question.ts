import type { Violation } from "@canvass/inputs";
import { isSameJson } from "@canvass/values";
import { entryPath } from "../conditional-entries.ts";
import { fitsQuestion } from "../conditions/condition-violations.ts";
import type { Condition } from "../conditions/condition.ts";
import { withFittingDefault } from "../default-value.ts";
import type { Question, SurveyDefinition } from "../definition.ts";
import { findElement, indexOf } from "../definition-index.ts";
import { logicFields } from "../element-logic.ts";
import { comparisonViolations } from "../weight.ts";
import { elementLogicViolations, newLogicViolations } from "./logic-violations.ts";
import { removeRules, type CleanedPage } from "./remove-rules.ts";

export type Replacement = { definition: SurveyDefinition; cleaned: CleanedPage[] } | { violations: Violation[] };

/**
 * Replaces the question of an element, and removes rules and conditions whose value the edit makes invalid. `sentAs`
 * returns the place in the body of a text of the question. Throws if there is no such element. Yields per page.
 */
export function* replaceQuestion(
  definition: SurveyDefinition,
  edited: Question,
  sentAs: (path: string) => string = (path) => path,
): Generator<void, Replacement> {
  const place = findElement(definition, edited.elementId);
  if (!place) throw new Error(`There is no element ${edited.elementId}.`);
  const isOldDefault = isSameJson(edited.logic?.defaultValue ?? null, place.question.logic?.defaultValue ?? null);
  const question = isOldDefault ? withFittingDefault(edited, place.type) : edited;
  const elements = place.page.elements.map((old) => (old === place.written ? question : old));
  const replaced = definition.pages.with(place.pageIndex, { ...place.page, elements });
  const { pages, cleaned } = removeRules(
    replaced,
    selectUnfitting(definition, { ...definition, pages: replaced }, question),
  );
  const after = { ...definition, pages };
  const broken = yield* newLogicViolations(definition, after);
  const own = edited.logic === place.question.logic ? [] : ownViolations(after, question.elementId);
  const at = `pages.${place.pageIndex}.elements.${place.page.elements.indexOf(place.written)}.`;
  const ofTexts = broken.filter(({ path }) => path.startsWith(at) && isOfText(path.slice(at.length)));
  const others = broken.filter((each) => !ofTexts.includes(each) && (own.length === 0 || !each.path.startsWith(at)));
  const texts = ofTexts.map(({ path, message }) => ({ path: sentAs(path.slice(at.length)), message }));
  const violations = [...own, ...texts, ...others];
  return violations.length > 0 ? { violations } : { definition: after, cleaned };
}

/**
 * Selects conditions on the question, and on questions that carry its choices, whose values an edit makes invalid.
 * Edits never change a type.
 */
function selectUnfitting(before: SurveyDefinition, after: SurveyDefinition, { elementId: edited }: Question) {
  const [old, now] = [indexOf(before).elements, indexOf(after).elements];
  const changed = [...now.values()].filter(
    ({ question: { elementId, logic } }) => elementId === edited || logic?.choicesFrom,
  );
  return (condition: Condition) =>
    changed.some(
      ({ question }) =>
        fitsQuestion(condition, old.get(question.elementId)!.question) && !fitsQuestion(condition, question),
    );
}

const isOfText = (path: string): boolean =>
  /^(?:text|helpText|typeSettings(?!\.other\.enabled$)|(?:choices|rows|columns)(?!\.\d+\.showIf)|translations)\b|^constraints\.\d+\.message$/.test(
    path,
  );

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
