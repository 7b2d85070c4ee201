import type { Sql } from "@canvass/postgres";
import type { Transfer } from "@canvass/proto/transfer";
import { resealRow } from "./reseal-row.ts";
import { refused } from "./refused.ts";
import { listed, quoted } from "./table-shape.ts";
import type { MovedTable } from "./workspace-transfer.ts";

/** Stores rows of one table, all of which must be the workspace's. */
export async function storeRows(
  sql: Sql,
  moved: MovedTable,
  { workspaceId, transferKey }: Transfer,
  { columns, rows }: { columns: readonly string[]; rows: readonly string[] },
): Promise<void> {
  if (rows.length === 0) return;
  const { sealed } = moved;
  const own = sealed
    ? await Promise.all(rows.map((row) => resealRow(sql, row, sealed, "arrive", transferKey)))
    : rows;
  const records = `[${own.join(",")}]`;
  if (moved.shared) return storeShared(sql, moved.table, moved.shared, columns, records);
  const [stored] = await sql.query<{ rows: number }>(
    `WITH stored AS (
       INSERT INTO ${quoted(moved.table)} (${listed(columns)})
       SELECT ${listed(columns)} FROM json_populate_recordset(NULL::${quoted(moved.table)}, $1::json)
       WHERE workspace_id = $2 RETURNING 1
     ) SELECT count(*)::int4 AS rows FROM stored`,
    [records, workspaceId],
  );
  if (stored!.rows !== rows.length) throw refused(`${moved.table} has rows of another workspace.`);
}

/** Rows that are there stay as they are. */
async function storeShared(
  sql: Sql,
  table: string,
  { key, known }: NonNullable<MovedTable["shared"]>,
  columns: readonly string[],
  records: string,
): Promise<void> {
  const [id, name] = [quoted(key), quoted(known)];
  const coming = `json_populate_recordset(NULL::${quoted(table)}, $1::json) AS coming`;
  const others = await sql.query<{ known: string }>(
    `SELECT coming.${name} AS known FROM ${coming} JOIN ${quoted(table)} AS here ON here.${name} = coming.${name}
     WHERE here.${id} <> coming.${id} ORDER BY 1 LIMIT 20`,
    [records],
  );
  if (others.length > 0) throw refused(...others.map((other) => `${other.known} is of another row of ${table} here.`));
  await sql.query(
    `INSERT INTO ${quoted(table)} (${listed(columns)}) SELECT ${listed(columns)} FROM ${coming}
     ON CONFLICT (${id}) DO NOTHING`,
    [records],
  );
}
