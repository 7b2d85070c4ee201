import type { Sql } from "@canvass/postgres";
import type { Transfer } from "@canvass/proto/transfer";
import { refused } from "./refused.ts";
import { resealRow } from "./reseal-row.ts";
import { listed, quoted } from "./table-shape.ts";
import type { MovedTable } from "./workspace-transfer.ts";

/** By table: imported key to existing key, for shared rows that already exist. */
export type Replaced = Map<string, Map<string, string>>;

interface Rows {
  columns: readonly string[];
  rows: readonly string[];
}

export async function storeRows(
  sql: Sql,
  moved: MovedTable,
  { workspaceId, transferKey }: Transfer,
  { columns, rows }: Rows,
  replaced: Replaced,
): Promise<void> {
  if (rows.length === 0) return;
  const { table, sealed, shared, refers = {} } = moved;
  let own = rows.map((row) => replaceIds(row, refers, replaced));
  if (sealed) own = await Promise.all(own.map((row) => resealRow(sql, row, sealed, "onImport", transferKey)));
  const records = `[${own.join(",")}]`;
  if (shared) {
    const there = await storeShared(sql, table, shared, columns, records);
    replaced.set(table, new Map([...(replaced.get(table) ?? []), ...there]));
    return;
  }
  const [stored] = await sql.query<{ rows: number }>(
    `WITH stored AS (
       INSERT INTO ${quoted(table)} (${listed(columns)})
       SELECT ${listed(columns)} FROM json_populate_recordset(NULL::${quoted(table)}, $1::json)
       WHERE workspace_id = $2 RETURNING 1
     ) SELECT count(*)::int4 AS rows FROM stored`,
    [records, workspaceId],
  );
  if (stored!.rows !== rows.length) throw refused(`${table} has rows of another workspace.`);
}

/** Replaces references to shared rows that exist under another key. */
function replaceIds(row: string, refers: NonNullable<MovedTable["refers"]>, replaced: Replaced): string {
  const columns = Object.entries(refers).filter(([, table]) => (replaced.get(table)?.size ?? 0) > 0);
  if (columns.length === 0) return row;
  const values = JSON.parse(row) as Record<string, string>;
  for (const [column, table] of columns) {
    const key = values[column]!;
    values[column] = replaced.get(table)!.get(key) ?? key;
  }
  return JSON.stringify(values);
}

/** Leaves existing rows unchanged. Returns imported and existing key where they differ. */
async function storeShared(
  sql: Sql,
  table: string,
  { key, known }: NonNullable<MovedTable["shared"]>,
  columns: readonly string[],
  records: string,
): Promise<[came: string, there: string][]> {
  const [id, name] = [quoted(key), quoted(known)];
  const coming = `json_populate_recordset(NULL::${quoted(table)}, $1::json) AS coming`;
  await sql.query(
    `INSERT INTO ${quoted(table)} (${listed(columns)}) SELECT ${listed(columns)} FROM ${coming} ON CONFLICT DO NOTHING`,
    [records],
  );
  const there = await sql.query<{ came: string; there: string }>(
    `SELECT coming.${id} AS came, here.${id} AS there FROM ${coming} JOIN ${quoted(table)} AS here
       ON here.${name} = coming.${name} WHERE here.${id} <> coming.${id}`,
    [records],
  );
  return there.map(({ came, there: stays }) => [came, stays]);
}
