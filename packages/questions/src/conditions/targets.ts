import { isLanguageTag } from "@canvass/values";
import { choicesAndOther } from "../chosen-choices.ts";
import type { Question } from "../definition.ts";
import { perQuestion } from "../type-settings.ts";
import { Type } from "typebox";
import type { Operator } from "./condition.ts";

/** Returns why a value cannot be compared with an answer, as a sentence, or null. */
export type TargetCheck<Of = Question> = (question: Of, target: unknown) => string | null;

/** The operators that a type supports besides `answered` and `not_answered`. */
export type Conditions<Of = Question> = Readonly<Partial<Record<Operator, TargetCheck<Of>>>>;

const longestText = 4_000;
const mostTargets = 200;

/** A value that an answer is compared with. */
export const conditionTarget = Type.Union([
  Type.String({ maxLength: longestText }),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.Union([Type.String({ maxLength: 100 }), Type.Number()]), { maxItems: mostTargets }),
  Type.Null(),
]);

const numberTarget: TargetCheck<unknown> = (_question, target) =>
  typeof target === "number" && Number.isFinite(target) ? null : "must be a number";

const booleanTarget: TargetCheck<unknown> = (_question, target) =>
  typeof target === "boolean" ? null : "must be true or false";

const textTarget: TargetCheck<unknown> = (_question, target) =>
  typeof target === "string" && target !== "" && target.length <= longestText
    ? null
    : `must be text of 1 to ${longestText} characters`;

const choicesTarget: TargetCheck = (question, target) => entriesViolation(choices(question), target, "a choice");

const choiceTarget: TargetCheck = (question, target) =>
  Array.isArray(target) ? "must be the id of a choice" : choicesTarget(question, target);

const columnTarget: TargetCheck = (question, target) => entriesViolation(columns(question), target, "a column");

const optionTarget: TargetCheck = (question, target) => entriesViolation(options(question), target, "an option");

function eachOf<Of>(check: TargetCheck<Of>): TargetCheck<Of> {
  return (question, target) => {
    if (!Array.isArray(target) || target.length === 0) return "must be a list";
    const message = target.map((item: unknown) => check(question, item)).find((found) => found !== null);
    return message === undefined ? null : `must be a list of which each item ${message}`;
  };
}

function rangeOf<Of>(check: TargetCheck<Of>): TargetCheck<Of> {
  return (question, target) => {
    const isPair = Array.isArray(target) && target.length === 2;
    return isPair ? eachOf(check)(question, target) : "must be a list of the lowest and the highest";
  };
}

type Entry = { id: string; retired: boolean };

const choices = perQuestion((question) => standingById(choicesAndOther(question)));
const columns = perQuestion((question) => standingById(question.columns ?? []));

/** An option is retired if its column is. */
const options = perQuestion(({ columns = [] }) =>
  standingById(
    columns.flatMap(({ options = [], ...column }) =>
      options.map(({ id, retired }) => ({ id, retired: retired || column.retired })),
    ),
  ),
);

function standingById(entries: readonly Entry[]): ReadonlyMap<string, boolean> {
  return new Map(entries.map(({ id, retired }) => [id, !retired]));
}

/** Refuses retired entries: respondents cannot choose them, so the rule would not apply. */
function entriesViolation(entries: ReadonlyMap<string, boolean>, target: unknown, name: string): string | null {
  const ids: unknown[] = Array.isArray(target) ? target : [target];
  const fits = ids.length > 0 && ids.every((id) => typeof id === "string" && entries.has(id));
  if (!fits) return `must be the id of ${name} of the question, or a list of them`;
  const retired = ids.find((id) => !entries.get(id as string));
  return retired === undefined ? null : `names ${name} that has been retired (${retired as string})`;
}

const sameness = <Of>(check: TargetCheck<Of>): Conditions<Of> => ({ equals: check, not_equals: check });
const membership = <Of>(check: TargetCheck<Of>): Conditions<Of> => ({ in: eachOf(check), not_in: eachOf(check) });
const equality = <Of>(check: TargetCheck<Of>): Conditions<Of> => ({ ...sameness(check), ...membership(check) });
const containment = <Of>(check: TargetCheck<Of>): Conditions<Of> => ({ contains: check, not_contains: check });

/** For answers that have an order, such as dates. */
export const orderedConditions = <Of>(check: TargetCheck<Of>): Conditions<Of> => ({
  ...equality(check),
  greater_than: check,
  less_than: check,
  at_least: check,
  at_most: check,
  between: rangeOf(check),
});

export const numberConditions = orderedConditions(numberTarget);
export const booleanConditions = sameness(booleanTarget);
export const textConditions: Conditions<unknown> = {
  ...equality(textTarget),
  ...containment(textTarget),
  starts_with: textTarget,
};
export const textPartConditions = containment(textTarget);
const languageTarget: TargetCheck<unknown> = (_question, target) =>
  typeof target === "string" && isLanguageTag(target) ? null : "must be a language tag such as de or pt-BR";

/** Of the respondent's language. */
export const languageConditions = equality(languageTarget);
export const choiceConditions = equality(choiceTarget);
export const choicesConditions: Conditions = {
  ...sameness(choicesTarget),
  ...membership(choiceTarget),
  ...containment(choicesTarget),
};
export const columnConditions = containment(columnTarget);
export const optionConditions = containment(optionTarget);
