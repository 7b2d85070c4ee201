/** Respondents by groups of alike weight, rows and columns. Its size grows with the table, not with the respondents. */
export interface Tally {
  /** `rows` and `columns` are places of categories; null without a value. With one variable, `columns` is `[]`. */
  add(respondents: number, group: number, rows: readonly number[] | null, columns: readonly number[] | null): void;
  /**
   * Respondents of a group in a row and a column; `all` stands for any of them, `none` for a value without any,
   * `missing` for no value.
   */
  count(group: number, row: Place, column: Place): number;
  groups(): number;
}

export type Place = number | "all" | "none" | "missing";

// More than the places of an axis, with all its retired categories. With 1,000 groups keys are exact numbers.
const base = 2 ** 20;
const special = { all: base - 1, missing: base - 2, none: base - 3 };
const placeNumber = (place: Place): number => (typeof place === "number" ? place : special[place]);
const keyOf = (group: number, row: number, column: number): number => (group * base + row) * base + column;

export function createTally(): Tally {
  const counts = new Map<number, number>();
  let groups = 0;
  return {
    add(respondents, group, rows, columns) {
      const bump = (key: number) => counts.set(key, (counts.get(key) ?? 0) + respondents);
      groups = Math.max(groups, group + 1);
      if (rows === null || columns === null) {
        bump(keyOf(group, rows ? special.all : special.missing, columns ? special.all : special.missing));
        return;
      }
      const inRows = rows.length > 0 ? rows : [special.none];
      const inColumns = columns.length > 0 ? columns : [special.none];
      bump(keyOf(group, special.all, special.all));
      for (const row of inRows) bump(keyOf(group, row, special.all));
      for (const column of inColumns) bump(keyOf(group, special.all, column));
      for (const row of inRows) for (const column of inColumns) bump(keyOf(group, row, column));
    },
    count: (group, row, column) => counts.get(keyOf(group, placeNumber(row), placeNumber(column))) ?? 0,
    groups: () => groups,
  };
}
