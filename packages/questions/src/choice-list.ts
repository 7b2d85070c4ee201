import type { Choice } from "./definition.ts";
import { perQuestion } from "./type-settings.ts";

/** Entries by id, including retired ones. */
export const choicesById = perQuestion((question) => byId(question.choices));
export const rowsById = perQuestion((question) => byId(question.rows));
export const columnsById = perQuestion((question) => byId(question.columns));

function byId<T extends { id: string }>(list: readonly T[] | undefined): ReadonlyMap<string, T> {
  return new Map((list ?? []).map((item) => [item.id, item]));
}

export function withoutRetired<T extends { retired: boolean }>(list: readonly T[] | undefined): T[] {
  return (list ?? []).filter((item) => !item.retired);
}

/** Returns why an id in an answer is invalid, as a sentence, or null. `name` is "a choice", "a row" or similar. */
export function choiceViolation(
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

/** Returns counts by choice id: of all current choices, and of other ids that have a count. */
export function countsByChoice(choices: readonly Choice[] | undefined, buckets: ReadonlyMap<string, number>) {
  const counts = new Map<string, number>();
  for (const choice of choices ?? []) {
    const count = buckets.get(choice.id) ?? 0;
    if (count !== 0 || !choice.retired) counts.set(choice.id, count);
  }
  for (const [bucket, count] of buckets) if (count !== 0) counts.set(bucket, count);
  return Object.fromEntries(counts);
}

/** Returns counts by row and column in list order, from buckets `rowId:columnId`; without zeros. */
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

/** Returns a map's entries in the order of a list; ids not in the list come last, sorted. */
export function inOrder<T>(byId: ReadonlyMap<string, T>, list: readonly { id: string }[] = []): [string, T][] {
  const known = list.flatMap(({ id }): [string, T][] => (byId.has(id) ? [[id, byId.get(id) as T]] : []));
  if (known.length === byId.size) return known;
  const ids = new Set(known.map(([id]) => id));
  const others = [...byId].filter(([id]) => !ids.has(id));
  return [...known, ...others.sort(([a], [b]) => (a < b ? -1 : 1))];
}
