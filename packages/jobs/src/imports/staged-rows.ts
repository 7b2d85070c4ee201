import { createRowPurge, type Sql } from "@canvass/postgres";
import type { ImportRef } from "./import-table.ts";

/** Rows that one transaction stores. */
export interface StagedChunk<Row> {
  /** 1 for the first row of the import. */
  firstRow: number;
  rows: Row[];
}

export interface ChunkLimits<Row> {
  mostRows: number;
  mostWeight?: number;
  weightOf?: (row: Row) => number;
}

/** Stores the rows of a new import in the table `staged_rows`, until its job stores them where they belong. */
export async function insertStagedRows<Row>(
  sql: Sql,
  { workspaceId, importId }: ImportRef,
  rows: readonly Row[],
  limits: ChunkLimits<Row>,
  now: Date,
): Promise<void> {
  for (const chunk of chunksOf(rows, limits)) {
    await sql.query(
      `INSERT INTO staged_rows (workspace_id, import_id, first_row, rows, staged_at)
       VALUES ($1, $2, $3::int, $4::jsonb, $5::timestamptz)`,
      [workspaceId, importId, chunk.firstRow, JSON.stringify(chunk.rows), now],
    );
  }
}

function* chunksOf<Row>(rows: readonly Row[], limits: ChunkLimits<Row>): Generator<StagedChunk<Row>> {
  const { mostRows, mostWeight = Infinity, weightOf = () => 0 } = limits;
  let chunk: StagedChunk<Row> = { firstRow: 1, rows: [] };
  let weight = 0;
  for (const [index, row] of rows.entries()) {
    const added = weightOf(row);
    if (chunk.rows.length === mostRows || (chunk.rows.length > 0 && weight + added > mostWeight)) {
      yield chunk;
      chunk = { firstRow: index + 1, rows: [] };
      weight = 0;
    }
    chunk.rows.push(row);
    weight += added;
  }
  if (chunk.rows.length > 0) yield chunk;
}

/** Returns the first chunk that is not deleted yet. */
export async function findNextChunk<Row>(
  sql: Sql,
  { workspaceId, importId }: ImportRef,
): Promise<StagedChunk<Row> | undefined> {
  const [chunk] = await sql.query<StagedChunk<Row>>(
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

export const purgeStagedRows = createRowPurge("staged_rows", "staged_at");
