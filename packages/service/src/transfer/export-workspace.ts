import type { MessageInitShape } from "@bufbuild/protobuf";
import { sqlFromPg, type Sql } from "@canvass/postgres";
import type { ExportWorkspaceRequest, WorkspacePartSchema } from "@canvass/proto/transfer";
import type { Pool } from "pg";
import { resealRow } from "./reseal-row.ts";
import { listed, quoted, readTableShape } from "./table-shape.ts";
import { readTransferTables, type MovedFiles, type MovedTable, type WorkspaceTransfer } from "./workspace-transfer.ts";

type Part = MessageInitShape<typeof WorkspacePartSchema>;

const rowsAtOnce = 200;
const messageLength = 512 * 1024;
/** All services take their snapshots at once. Each then waits until the data of those before it is read. */
const mostIdle = "SET LOCAL idle_in_transaction_session_timeout = '1h'";

/** Yields all rows of one snapshot, then the files that they refer to. */
export async function* exportWorkspace(
  pool: Pool,
  transfer: WorkspaceTransfer,
  { workspaceId, transferKey }: ExportWorkspaceRequest,
): AsyncGenerator<Part> {
  const counts: { table: string; rows: bigint }[] = [];
  const keys: string[] = [];
  yield* inSnapshot(pool, async function* (sql): AsyncGenerator<Part> {
    const tables = await readTransferTables(sql, transfer);
    keys.push(...((await transfer.files?.keys(sql, workspaceId)) ?? []));
    for (const table of tables) {
      let rows = 0;
      for await (const part of exportTable(sql, table, workspaceId, transferKey)) {
        rows += part.rows.length;
        yield { part: { case: "rows", value: part } };
      }
      counts.push({ table: table.table, rows: BigInt(rows) });
    }
  });
  const missingFiles: string[] = [];
  for (const key of keys) {
    const file = exportFile(transfer.files!, key);
    let isThere = true;
    for (let next = await file.next(); ; next = await file.next()) {
      if (next.done) isThere = next.value;
      if (next.done) break;
      yield next.value;
    }
    if (!isThere) missingFiles.push(key);
  }
  const files = BigInt(keys.length - missingFiles.length);
  yield { part: { case: "end", value: { tables: counts, files, missingFiles } } };
}

async function* inSnapshot<T>(pool: Pool, read: (sql: Sql) => AsyncGenerator<T>): AsyncGenerator<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => (broken = error);
  client.on("error", onError);
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query(mostIdle);
    yield* read(sqlFromPg(client));
  } finally {
    await client.query("ROLLBACK").catch((failure: Error) => (broken = failure));
    client.removeListener("error", onError);
    client.release(broken);
  }
}

/** Yields a part without rows first, so that the shape of an empty table is sent, too. */
async function* exportTable(sql: Sql, moved: MovedTable, workspaceId: string, transferKey: Uint8Array) {
  const { table, where = "workspace_id = $1", sealed, omitted = [] } = moved;
  const { columns: all, primaryKey } = await readTableShape(sql, table);
  const columns = all.filter((column) => !omitted.includes(column));
  const shape = { table, columns };
  yield { shape, rows: [] };
  // JSON text is not parsed on the way, so numbers of any length stay exact.
  const moving = (column: string): string =>
    `NO SCROLL CURSOR FOR SELECT ${column} FROM (SELECT row_to_json(moved)::text AS row
     FROM (SELECT ${listed(columns)} FROM ${quoted(table)} WHERE ${where} ORDER BY ${listed(primaryKey)}) AS moved) AS rows`;
  await sql.query(`DECLARE lengths ${moving("octet_length(row) AS length")}`, [workspaceId]);
  await sql.query(`DECLARE rows ${moving("row")}`, [workspaceId]);
  for (;;) {
    const found = await sql.query<{ length: number }>(`FETCH ${rowsAtOnce} FROM lengths`);
    if (found.length === 0) break;
    for (const count of inMessages(found.map(({ length }) => length))) {
      const fetched = await sql.query<{ row: string }>(`FETCH ${count} FROM rows`);
      let rows = fetched.map(({ row }) => row);
      if (sealed) rows = await Promise.all(rows.map((row) => resealRow(sql, row, sealed, "onExport", transferKey)));
      yield { shape, rows };
    }
  }
  await sql.query("CLOSE rows");
  await sql.query("CLOSE lengths");
}

/** Yields the row count of each message. Limits messages to `messageLength` or their longest row, to save memory. */
function* inMessages(lengths: readonly number[]): Generator<number> {
  let [count, sum] = [0, 0];
  for (const length of lengths) {
    if (count > 0 && sum + length > messageLength) {
      yield count;
      [count, sum] = [0, 0];
    }
    count++;
    sum += length;
  }
  yield count;
}

/** Returns whether the file existed: its row may be deleted after the snapshot, or its bytes before. */
async function* exportFile(files: MovedFiles, key: string): AsyncGenerator<Part, boolean> {
  try {
    for await (const bytes of files.read(key)) yield { part: { case: "file", value: { key, bytes } } };
  } catch (error) {
    if (files.isMissing(error)) return false;
    throw error;
  }
  yield { part: { case: "file", value: { key, last: true } } };
  return true;
}
