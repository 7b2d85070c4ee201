import type { Sql } from "./sql.ts";

/**
 * Returns a function that deletes up to `limit` rows whose `column` is before a time, oldest first, and returns how many. Both
 * names go into the SQL unescaped.
 */
export const createRowPurge =
  (table: string, column: string) =>
  async (sql: Sql, before: Date, limit: number): Promise<number> => {
    const rows = await sql.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE ${column} < $1::timestamptz ORDER BY ${column} LIMIT $2::int FOR UPDATE SKIP LOCKED))
       RETURNING 1 AS gone`,
      [before, limit],
    );
    return rows.length;
  };
