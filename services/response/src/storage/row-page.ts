export interface RowPage<Row> {
  rows: Row[];
  isLast: boolean;
}

/** Limits of a page: rows, and their bytes together. A page has at least one row. */
export interface PageSize {
  rows: number;
  bytes: number;
}

/** Assumed compression ratio. That of text is usually 3 and at most 90: then a page exceeds its bytes six times. */
const unpacked = 16;

/** SQL: JSON bytes, estimated by the stored size. Walks weigh large rows many times, so this must not decompress. */
export const jsonBytesSql = (column: string): string => `CASE WHEN ${column} IS NULL THEN 0
  ELSE pg_column_size(${column}) * CASE WHEN pg_column_compression(${column}) IS NULL THEN 1 ELSE ${unpacked} END END`;

/** `found`: rows of the query, before its limit of bytes. */
export function toPage<Row>(rows: Row[], found: number, size: PageSize): RowPage<Row> {
  return { rows, isLast: found < size.rows && rows.length === found };
}
