import { childOf, type XmlElement } from "../files/read-xml.ts";

/** A row of a table of the file: its fields by name. */
export type Row = ReadonlyMap<string, string>;

/** Returns the rows of a table; none if the file does not have it. */
export function rowsOfTable(document: XmlElement, table: string): Row[] {
  const rows = childOf(childOf(document, table), "rows")?.children ?? [];
  return rows
    .filter(({ name }) => name === "row")
    .map(({ children }) => new Map(children.map(({ name, text }) => [name, text])));
}

export const field = (row: Row | undefined, name: string): string => row?.get(name)?.trim() ?? "";

/**
 * A row with its texts by language. Since database version 400 texts have their own table; before, each language had
 * its own row, of which `own` is the first.
 */
export interface Localized {
  own: Row;
  byLanguage: ReadonlyMap<string, Row>;
}

/** Joins rows with their texts by an id; rows that differ only in language become one. Sorts by the field `order`. */
export function joinTexts(rows: readonly Row[], texts: readonly Row[], id: string, order: string): Localized[] {
  const joined = new Map<string, { own: Row; byLanguage: Map<string, Row> }>();
  for (const row of rows) {
    const key = `${field(row, id)} ${field(row, "code")}`;
    const known = joined.get(key) ?? { own: row, byLanguage: new Map<string, Row>() };
    joined.set(key, known);
    if (row.has("language")) known.byLanguage.set(field(row, "language"), row);
  }
  const byId = new Map<string, Row[]>();
  for (const row of texts) byId.set(field(row, id), [...(byId.get(field(row, id)) ?? []), row]);
  for (const { own, byLanguage } of joined.values()) {
    for (const row of byId.get(field(own, id)) ?? []) byLanguage.set(field(row, "language"), row);
  }
  return [...joined.values()].toSorted((one, other) => Number(field(one.own, order)) - Number(field(other.own, order)));
}

export function byParent(rows: readonly Localized[], name: string): Map<string, Localized[]> {
  const parents = new Map<string, Localized[]>();
  for (const row of rows) {
    const parent = field(row.own, name);
    const known = parents.get(parent);
    if (known) known.push(row);
    else parents.set(parent, [row]);
  }
  return parents;
}
