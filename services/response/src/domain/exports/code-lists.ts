import type { ExportColumn, ExportValue } from "@canvass/questions";

/**
 * Entry ids in code order, one list per set of entries that columns share. Lists only grow, so codes stay the same
 * until lists are merged.
 */
export type CodeLists = readonly (readonly string[])[];

/** Appends new entries to the known lists. Merges lists that come to share a column, to keep its codes distinct. */
export function growCodeLists(known: CodeLists, given: CodeLists): CodeLists {
  const lists = new Set(known.map((ids) => [...ids]));
  const listOf = new Map([...lists].flatMap((ids) => ids.map((id) => [id, ids] as const)));
  for (const ids of given) {
    const [list = [], ...others] = new Set(ids.map((id) => listOf.get(id)).filter((found) => found !== undefined));
    lists.add(list);
    for (const other of others) lists.delete(other);
    for (const id of [...others.flat(), ...ids.filter((each) => !listOf.has(each))]) {
      list.push(id);
      listOf.set(id, list);
    }
  }
  return [...lists];
}

/** The entry ids of each column whose cells are single entries. */
export function codeListsOf(columns: readonly ExportColumn[]): CodeLists {
  return columns
    .filter(({ kind, values }) => kind === "value" && values.length > 0)
    .map(({ values }) => values.map(({ id }) => id));
}

const wholeNumber = /^-?\d{1,15}$/;
/** The id of "(None)", which is no entry of its list. */
const none = "";

/** The codes that the author of the survey gave to all entries, if they are different whole numbers. */
function authoredCodes(values: readonly ExportValue[]): ExportValue[] | undefined {
  const given = values
    .filter(({ id }) => id !== none)
    .map(({ entryCode = "" }) => (wholeNumber.test(entryCode) ? Number(entryCode) + 0 : Number.NaN));
  const known = new Set(given);
  if (given.length === 0 || known.has(Number.NaN) || known.size < given.length) return undefined;
  let free = 0;
  while (known.has(free)) free -= 1;
  return values.map((value) => ({ ...value, code: value.id === none ? free : Number(value.entryCode) + 0 }));
}

/**
 * Returns the columns with codes of their entries: the authored ones if all of a column's are different whole numbers.
 * Otherwise an entry's code is its place in its list, counted from the code of the column's first entry.
 */
export function withCodes(columns: readonly ExportColumn[], lists: CodeLists): ExportColumn[] {
  const places = new Map(lists.flatMap((ids) => ids.map((id, place) => [id, place] as const)));
  return columns.map((column) => {
    if (column.kind !== "value") return column;
    const [first] = column.values;
    const values =
      authoredCodes(column.values) ??
      column.values.map((value) => ({ ...value, code: first!.code + places.get(value.id)! }));
    return { ...column, values: values.toSorted((a, b) => a.code - b.code) };
  });
}
