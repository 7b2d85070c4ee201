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

/**
 * Bytes of a JSON column as text, or about as many. Cheap where the value is small; compressed ones are measured, since
 * their stored size tells nothing.
 */
export const jsonBytes = (column: string): string => `CASE WHEN ${column} IS NULL THEN 0
  WHEN pg_column_compression(${column}) IS NULL THEN pg_column_size(${column}) ELSE octet_length(${column}::text) END`;

/** The rows of a statement that asked for `size` rows, found `found` and gave those that fit. */
export function toPage<Row>(rows: Row[], found: number, size: PageSize): RowPage<Row> {
  return { rows, isLast: found < size.rows && rows.length === found };
}
