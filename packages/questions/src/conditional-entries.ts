import { choicesAndOther } from "./chosen-choices.ts";
import { withoutRetired } from "./choice-list.ts";
import type { ChoicesFrom } from "./choices-from.ts";
import type { Condition } from "./conditions/condition.ts";
import type { Question } from "./definition.ts";

/** Choices and rows that are shown by conditions, or by the answer that they are carried from. */
export interface ConditionalEntries {
  conditions: readonly (readonly [entryId: string, showIf: Condition])[];
  from: ChoicesFrom | undefined;
  /** Ids of the entries of each list of which some may not be shown. */
  lists: readonly (readonly string[])[];
}

export const conditionalLists = ["choices", "rows"] as const;

/** Returns the place of a choice or row in its list, such as `choices.2`. An outline of a question has no lists. */
export function entryPath(question: Question, entryId: string): string {
  for (const list of conditionalLists) {
    const at = question[list]?.findIndex(({ id }) => id === entryId) ?? -1;
    if (at >= 0) return `${list}.${at}`;
  }
  return `entries.${entryId}`;
}

/** Returns null for a question whose entries are all shown. */
export function conditionalEntries(question: Question): ConditionalEntries | null {
  const { entries = {}, choicesFrom: from } = question.logic ?? {};
  const given = Object.entries(entries);
  if (given.length === 0 && !from) return null;
  const named = new Set(given.map(([id]) => id));
  const lists = [choicesAndOther(question), question.rows].map((list) => withoutRetired(list).map(({ id }) => id));
  const conditional = lists.filter((ids) => ids.some((id) => named.has(id)));
  // Its own Other does not count: a question without shown carried choices is not shown.
  const carried = from ? [withoutRetired(question.choices).map(({ id }) => id)] : [];
  return { conditions: given, from, lists: [...carried, ...conditional] };
}

/** Returns the conditions of a question's entries; given ones replace its own. Retired entries have none. */
export function mergeEntryConditions(
  { choices, rows, logic }: Question,
  given: ReadonlyMap<string, Condition | null>,
): Record<string, Condition> {
  const conditions = new Map<string, Condition | null>([...Object.entries(logic?.entries ?? {}), ...given]);
  const ids = [...withoutRetired(choices), ...withoutRetired(rows)].map(({ id }) => id);
  return Object.fromEntries(ids.flatMap((id) => (conditions.get(id) ? [[id, conditions.get(id)!]] : [])));
}
