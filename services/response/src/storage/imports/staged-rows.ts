import type { Sql } from "@canvass/postgres";
import type { FileRow } from "../../domain/imports/imported-rows.ts";
import type { ImportRef } from "./response-imports.ts";

export interface StagedChunk {
  firstRow: number;
  rows: FileRow[];
}

/** Limits of one transaction, so that it holds locks no longer than a large submission does. */
const mostRows = 100;
const mostCells = 2_000;

export async function insertStagedRows(
  sql: Sql,
  { workspaceId, importId }: ImportRef,
  rows: readonly FileRow[],
  now: Date,
): Promise<void> {
  for (const { firstRow, rows: some } of chunksOf(rows)) {
    await sql.query(
      `INSERT INTO staged_rows (workspace_id, import_id, first_row, rows, staged_at)
       VALUES ($1, $2, $3::int, $4::jsonb, $5::timestamptz)`,
      [workspaceId, importId, firstRow, JSON.stringify(some), now],
    );
  }
}

function* chunksOf(rows: readonly FileRow[]): Generator<StagedChunk> {
  let chunk: StagedChunk = { firstRow: 1, rows: [] };
  let cells = 0;
  for (const [index, row] of rows.entries()) {
    const filled = row.cells.filter((cell) => cell !== "").length;
    if (chunk.rows.length === mostRows || (chunk.rows.length > 0 && cells + filled > mostCells)) {
      yield chunk;
      chunk = { firstRow: index + 1, rows: [] };
      cells = 0;
    }
    chunk.rows.push(row);
    cells += filled;
  }
  if (chunk.rows.length > 0) yield chunk;
}

export async function findNextChunk(sql: Sql, { workspaceId, importId }: ImportRef): Promise<StagedChunk | undefined> {
  const [chunk] = await sql.query<StagedChunk>(
    `SELECT first_row AS "firstRow", rows FROM staged_rows WHERE workspace_id = $1 AND import_id = $2
     ORDER BY first_row LIMIT 1`,
    [workspaceId, importId],
  );
  return chunk;
}

export async function deleteChunk(sql: Sql, { workspaceId, importId }: ImportRef, firstRow: number): Promise<void> {
  await sql.query("DELETE FROM staged_rows WHERE workspace_id = $1 AND import_id = $2 AND first_row = $3::int", [
    workspaceId,
    importId,
    firstRow,
  ]);
}

export async function purgeStagedRows(sql: Sql, before: Date, limit: number): Promise<number> {
  const purged = await sql.query(
    `DELETE FROM staged_rows WHERE (workspace_id, import_id, first_row) IN (
       SELECT workspace_id, import_id, first_row FROM staged_rows WHERE staged_at < $1::timestamptz LIMIT $2::int)
     RETURNING first_row`,
    [before, limit],
  );
  return purged.length;
}
