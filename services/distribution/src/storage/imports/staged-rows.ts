import type { Sql } from "@canvass/postgres";
import type { ImportRow } from "../../domain/imports/import-settings.ts";
import type { ImportRef } from "./imports.ts";

export interface StagedChunk {
  firstRow: number;
  rows: ImportRow[];
}

/** Rows that one transaction stores as contacts. */
const chunkRows = 250;

export async function insertStagedRows(
  sql: Sql,
  { workspaceId, importId }: ImportRef,
  rows: readonly ImportRow[],
  now: Date,
): Promise<void> {
  for (let at = 0; at < rows.length; at += chunkRows) {
    const json = JSON.stringify(rows.slice(at, at + chunkRows));
    await sql.query(
      `INSERT INTO staged_rows (workspace_id, import_id, first_row, rows, staged_at)
       VALUES ($1, $2, $3::int, $4::jsonb, $5::timestamptz)`,
      [workspaceId, importId, at + 1, json, now],
    );
  }
}

export async function findNextChunk(sql: Sql, { workspaceId, importId }: ImportRef): Promise<StagedChunk | undefined> {
  const [chunk] = await sql.query<StagedChunk>(
    `SELECT first_row AS "firstRow", rows FROM staged_rows WHERE workspace_id = $1 AND import_id = $2
     ORDER BY first_row LIMIT 1`,
    [workspaceId, importId],
  );
  return chunk;
}

export async function deleteChunk(
  sql: Sql,
  { workspaceId, importId }: ImportRef,
  { firstRow }: Pick<StagedChunk, "firstRow">,
): Promise<void> {
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
