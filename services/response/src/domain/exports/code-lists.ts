import type { ExportColumn } from "@canvass/questions";

/**
 * Ids of a question's entries in the order of their codes, a list for each set of entries that columns share. Lists only
 * grow, so a code means the same for ever, whatever order the choices stand in.
 */
export type CodeLists = readonly (readonly string[])[];

/**
 * The known lists with the entries of other ones: those that are new come last. Lists that came to share a column become
 * one, so that no two entries of a column have one code.
 */
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

/** The lists of a question's columns. */
export function listsOf(columns: readonly ExportColumn[]): CodeLists {
  return columns
    .filter(({ kind, values }) => kind === "value" && values.length > 0)
    .map(({ values }) => values.map(({ id }) => id));
}

/** The columns with the codes of the lists, counted from the code that their first entry has. */
export function withCodes(columns: readonly ExportColumn[], lists: CodeLists): ExportColumn[] {
  const places = new Map(lists.flatMap((ids) => ids.map((id, place) => [id, place] as const)));
  return columns.map((column) => {
    if (column.kind !== "value") return column;
    const [first] = column.values;
    const values = column.values.map((value) => ({ ...value, code: first!.code + places.get(value.id)! }));
    return { ...column, values: values.toSorted((a, b) => a.code - b.code) };
  });
}
