/** Rows in key order: a step of a walk. */
export interface RowPage<Row> {
  rows: Row[];
  /** No rows were left behind them. */
  isLast: boolean;
}

/** A page holds at most so many rows, and fewer when they have more bytes together; at least one. */
export interface PageSize {
  rows: number;
  bytes: number;
}

/** Text packs to a third mostly, and to a ninetieth at best: a page of such has six times the bytes it may have. */
const unpacked = 16;

/**
 * About the bytes of a JSON column as text, by what is stored of it. Nothing is unpacked: rows are weighed that a page
 * leaves out, so a walk over heavy rows weighs each many times.
 */
export const jsonBytes = (column: string): string => `CASE WHEN ${column} IS NULL THEN 0
  ELSE pg_column_size(${column}) * CASE WHEN pg_column_compression(${column}) IS NULL THEN 1 ELSE ${unpacked} END END`;

/** The rows of a statement that asked for `size` rows, found `found` and gave those that fit. */
export function toPage<Row>(rows: Row[], found: number, size: PageSize): RowPage<Row> {
  return { rows, isLast: found < size.rows && rows.length === found };
}
