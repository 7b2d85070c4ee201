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

/** Counts per row and column from buckets `rowId:columnId`, in the order of the lists; zeros are left out. */
export function countsByCell(
  rows: readonly { id: string }[] | undefined,
  columns: readonly { id: string }[] | undefined,
  buckets: ReadonlyMap<string, number>,
): Record<string, Record<string, number>> {
  const cells = new Map<string, Map<string, number>>();
  for (const [bucket, count] of buckets) {
    if (count === 0) continue;
    const [rowId = "", columnId = ""] = bucket.split(":");
    const row = cells.get(rowId) ?? new Map<string, number>();
    cells.set(rowId, row.set(columnId, (row.get(columnId) ?? 0) + count));
  }
  return Object.fromEntries(
    inOrder(cells, rows).map(([id, counts]) => [id, Object.fromEntries(inOrder(counts, columns))]),
  );
}

/** The entries of a map by id in the order of a list; what is not in the list comes last, by id. */
export function inOrder<T>(byId: ReadonlyMap<string, T>, list: readonly { id: string }[] = []): [string, T][] {
  const known = list.flatMap(({ id }): [string, T][] => (byId.has(id) ? [[id, byId.get(id) as T]] : []));
  if (known.length === byId.size) return known;
  const ids = new Set(known.map(([id]) => id));
  const others = [...byId].filter(([id]) => !ids.has(id));
  return [...known, ...others.sort(([a], [b]) => (a < b ? -1 : 1))];
}
