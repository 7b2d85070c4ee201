import type { HeadedColumn } from "../exports/export-layout.ts";

const withName = /^(.*) \[[^\]]*\]$/su;

/** Finds a column by its name in any case, its id, its text, or `text [name]`, in this order. */
export function headingIndex(columns: readonly HeadedColumn[]): (heading: string) => HeadedColumn | undefined {
  const byName = new Map(columns.map((column) => [column.name.toLowerCase(), column]));
  const byId = new Map(columns.map((column) => [column.id.toLowerCase(), column]));
  const byText = new Map(columns.map((column) => [column.label, column]));
  const byBoth = new Map(columns.map((column) => [`${column.text} [${column.name}]`, column]));
  return (given) => {
    const heading = given.trim();
    const key = heading.toLowerCase();
    const found = byName.get(key) ?? byId.get(key) ?? byText.get(heading) ?? byBoth.get(heading);
    // The names of a copied survey's columns differ where they are made of ids.
    return found ?? byText.get(withName.exec(heading)?.[1] ?? "");
  };
}
