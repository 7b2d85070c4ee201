import type { ExportColumn } from "@canvass/questions";

/** Entry ids in code order, one list per set of entries that columns share. Lists only grow: codes stay the same. */
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

export function listsOf(columns: readonly ExportColumn[]): CodeLists {
  return columns
    .filter(({ kind, values }) => kind === "value" && values.length > 0)
    .map(({ values }) => values.map(({ id }) => id));
}

/** Returns the columns with the codes of the lists. Codes start at the code of a column's first entry. */
export function withCodes(columns: readonly ExportColumn[], lists: CodeLists): ExportColumn[] {
  const places = new Map(lists.flatMap((ids) => ids.map((id, place) => [id, place] as const)));
  return columns.map((column) => {
    if (column.kind !== "value") return column;
    const [first] = column.values;
    const values = column.values.map((value) => ({ ...value, code: first!.code + places.get(value.id)! }));
    return { ...column, values: values.toSorted((a, b) => a.code - b.code) };
  });
}
