import { offeredChoices } from "./chosen-choices.ts";
import { standing } from "./choice-list.ts";
import type { Condition } from "./conditions/condition.ts";
import type { Question } from "./definition.ts";

/** Choices and rows that are shown by conditions. */
export interface ConditionalEntries {
  conditions: readonly (readonly [entryId: string, showIf: Condition])[];
  /** Ids of the entries of each list that has conditions. */
  lists: readonly (readonly string[])[];
}

export const conditionalLists = ["choices", "rows"] as const;

/** Returns null for a question whose entries are all shown. */
export function conditionalEntries(question: Question): ConditionalEntries | null {
  const given = Object.entries(question.logic?.entries ?? {});
  if (given.length === 0) return null;
  const named = new Set(given.map(([id]) => id));
  const lists = [offeredChoices(question), question.rows].map((list) => standing(list).map(({ id }) => id));
  return { conditions: given, lists: lists.filter((ids) => ids.some((id) => named.has(id))) };
}

/** Returns the conditions of a question's entries: given ones over its own. What nobody can choose has none. */
export function mergeEntries(
  { choices, rows, logic }: Question,
  given: ReadonlyMap<string, Condition | null>,
): Record<string, Condition> {
  const conditions = new Map<string, Condition | null>([...Object.entries(logic?.entries ?? {}), ...given]);
  const ids = [...standing(choices), ...standing(rows)].map(({ id }) => id);
  return Object.fromEntries(ids.flatMap((id) => (conditions.get(id) ? [[id, conditions.get(id)!]] : [])));
}
