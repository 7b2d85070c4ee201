import { withOther } from "./chosen-choices.ts";
import { columnsById } from "./choice-list.ts";
import type { Question, SkipOperator } from "./definition.ts";
import { perQuestion } from "./type-settings.ts";

/** Why a value cannot be what an answer is compared with, as a sentence; null when it can. */
export type TargetCheck = (question: Question, target: unknown) => string | null;

/** The operators of skip logic that make sense for a type, beside `answered` and `not_answered`. */
export type Conditions = Readonly<Partial<Record<SkipOperator, TargetCheck>>>;

const longestText = 4_000;

export const equality = (check: TargetCheck): Conditions => ({ equals: check, not_equals: check });
export const comparison = (check: TargetCheck): Conditions => ({ greater_than: check, less_than: check });
export const containment = (check: TargetCheck): Conditions => ({ contains: check });

export const numberTarget: TargetCheck = (_question, target) =>
  typeof target === "number" && Number.isFinite(target) ? null : "must be a number";

export const booleanTarget: TargetCheck = (_question, target) =>
  typeof target === "boolean" ? null : "must be true or false";

export const textTarget: TargetCheck = (_question, target) =>
  typeof target === "string" && target !== "" && target.length <= longestText
    ? null
    : `must be text of 1 to ${longestText} characters`;

/** A choice of the question, Other among them, or a list of them. */
export const choicesTarget: TargetCheck = (question, target) => entriesFault(withOther(question), target, "a choice");

export const choiceTarget: TargetCheck = (question, target) =>
  Array.isArray(target) ? "must be the id of a choice" : choicesTarget(question, target);

export const columnTarget: TargetCheck = (question, target) => entriesFault(columnsById(question), target, "a column");

const optionIds = perQuestion(
  ({ columns = [] }) => new Set(columns.flatMap(({ options = [] }) => options.map(({ id }) => id))),
);

export const optionTarget: TargetCheck = (question, target) => entriesFault(optionIds(question), target, "an option");

function entriesFault(known: { has(id: string): boolean }, target: unknown, name: string): string | null {
  const ids: unknown[] = Array.isArray(target) ? target : [target];
  const fits = ids.length > 0 && ids.every((id) => typeof id === "string" && known.has(id));
  return fits ? null : `must be the id of ${name} of the question, or a list of them`;
}
