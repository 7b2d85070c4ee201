import type { Choice } from "./definition.ts";
import { perQuestion } from "./type-settings.ts";

/** A question's lists by id, retired entries included. */
export const choicesById = perQuestion((question) => byId(question.choices));
export const rowsById = perQuestion((question) => byId(question.rows));
export const columnsById = perQuestion((question) => byId(question.columns));

function byId<T extends { id: string }>(list: readonly T[] | undefined): ReadonlyMap<string, T> {
  return new Map((list ?? []).map((item) => [item.id, item]));
}

/** The entries people can still choose. */
export function standing<T extends { retired: boolean }>(list: readonly T[] | undefined): T[] {
  return (list ?? []).filter((item) => !item.retired);
}

/** Why an id from an answer cannot be chosen, as a sentence; null when it can. `name` is "a choice", "a row" or the like. */
export function choiceFault(
  choices: ReadonlyMap<string, { retired: boolean }>,
  id: unknown,
  name: string,
  allowRetired: boolean | undefined,
): string | null {
  if (typeof id !== "string") return `must be the id of ${name}`;
  const choice = choices.get(id);
  if (!choice) return `is not ${name} of this question`;
  return choice.retired && !allowRetired ? `is ${name} that has been retired` : null;
}

/** Counts per choice from buckets that are choice ids: zeros for what stands, and whatever else was counted. */
export function countsByChoice(choices: readonly Choice[] | undefined, buckets: ReadonlyMap<string, number>) {
  const counts = new Map<string, number>();
  for (const choice of choices ?? []) {
    const count = buckets.get(choice.id) ?? 0;
    if (count !== 0 || !choice.retired) counts.set(choice.id, count);
  }
  for (const [bucket, count] of buckets) if (count !== 0) counts.set(bucket, count);
  return Object.fromEntries(counts);
}

/**
 * Counts per row and column from buckets `rowId:columnId`: zeros for what stands, plus whatever else was counted.
 */
export function countsByCell(
  rows: readonly { id: string; retired: boolean }[] | undefined,
  columns: readonly { id: string; retired: boolean }[] | undefined,
  buckets: ReadonlyMap<string, number>,
): Record<string, Record<string, number>> {
  const cells = new Map<string, Map<string, number>>();
  const row = (id: string) => {
    const known = cells.get(id) ?? new Map<string, number>();
    cells.set(id, known);
    return known;
  };
  for (const { id } of standing(rows)) for (const column of standing(columns)) row(id).set(column.id, 0);
  for (const [bucket, count] of buckets) {
    const [rowId = "", columnId = ""] = bucket.split(":");
    if (count !== 0) row(rowId).set(columnId, (row(rowId).get(columnId) ?? 0) + count);
  }
  return Object.fromEntries([...cells].map(([id, counts]) => [id, Object.fromEntries(counts)]));
}
