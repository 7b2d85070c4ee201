import type { Sql } from "@canvass/postgres";

/** A table's column names, without generated columns. */
export interface TableShape {
  columns: string[];
  primaryKey: string[];
}

export async function readTableShape(sql: Sql, table: string): Promise<TableShape> {
  const columns = await sql.query<{ name: string; position: number | null }>(
    `SELECT a.attname AS name, array_position(i.indkey::int2[], a.attnum) AS position
     FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
     WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     ORDER BY a.attnum`,
    [`public.${quoted(table)}`],
  );
  const key = columns.filter(({ position }) => position !== null).toSorted((a, b) => a.position! - b.position!);
  return { columns: columns.map(({ name }) => name), primaryKey: key.map(({ name }) => name) };
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const listed = (names: readonly string[]): string => names.map(quoted).join(", ");
