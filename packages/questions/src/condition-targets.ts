import { offeredChoices } from "./chosen-choices.ts";
import type { Question, SkipOperator } from "./definition.ts";
import { perQuestion } from "./type-settings.ts";

/** Returns why a value cannot be compared with an answer, as a sentence, or null. */
export type TargetCheck = (question: Question, target: unknown) => string | null;

/** The operators of skip logic that a type supports besides `answered` and `not_answered`. */
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

export const choicesTarget: TargetCheck = (question, target) => entriesViolation(choices(question), target, "a choice");

export const choiceTarget: TargetCheck = (question, target) =>
  Array.isArray(target) ? "must be the id of a choice" : choicesTarget(question, target);

export const columnTarget: TargetCheck = (question, target) => entriesViolation(columns(question), target, "a column");

export const optionTarget: TargetCheck = (question, target) => entriesViolation(options(question), target, "an option");

type Entry = { id: string; retired: boolean };

const choices = perQuestion((question) => standingById(offeredChoices(question)));
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
