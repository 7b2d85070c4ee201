import type { Sql } from "@canvass/postgres";
import type { ImportSettings, RowCounts, RowError } from "../../domain/imports/import-settings.ts";

export interface ImportRef {
  workspaceId: string;
  importId: string;
}

export interface StoredImport extends ImportRef, ImportSettings, RowCounts {
  total: number;
  errors: readonly RowError[];
  createdAt: Date;
  completedAt: Date | null;
  hasBegun: boolean;
  outcome: "succeeded" | "failed" | "cancelled" | null;
  error: string | null;
}

export type NewImport = ImportRef & ImportSettings & { total: number };

/** The caller also inserts the rows and the job. */
export async function insertImport(sql: Sql, { workspaceId, importId, mode, matchOn, total }: NewImport, now: Date) {
  await sql.query(
    `INSERT INTO contact_imports (workspace_id, import_id, mode, match_on, total, created_at)
     VALUES ($1, $2, $3, $4, $5::int, $6::timestamptz)`,
    [workspaceId, importId, mode, matchOn, total, now],
  );
}

export async function findImport(sql: Sql, { workspaceId, importId }: ImportRef): Promise<StoredImport | undefined> {
  const [row] = await sql.query<StoredImport>(
    `SELECT i.workspace_id AS "workspaceId", i.import_id AS "importId", i.mode, i.match_on AS "matchOn", i.total, i.created,
       i.updated, i.skipped, i.failed, i.errors, i.created_at AS "createdAt", i.completed_at AS "completedAt",
       j.lease_id IS NOT NULL OR j.done > 0 AS "hasBegun", j.outcome, j.error
     FROM contact_imports i JOIN jobs j ON (j.workspace_id, j.job_id) = (i.workspace_id, i.import_id)
     WHERE i.workspace_id = $1 AND i.import_id = $2`,
    [workspaceId, importId],
  );
  return row;
}

/** Serializes the creation of imports of a workspace until the transaction ends. */
export async function countOpenImports(sql: Sql, workspaceId: string): Promise<number> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('imports ' || $1, 0))::text AS locked`, [workspaceId]);
  const [row] = await sql.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM jobs WHERE workspace_id = $1 AND due_at IS NOT NULL`,
    [workspaceId],
  );
  return row!.open;
}

export async function addImportCounts(
  sql: Sql,
  { workspaceId, importId }: ImportRef,
  { created, updated, skipped, failed }: RowCounts,
  errors: readonly RowError[],
  mostErrors: number,
): Promise<void> {
  await sql.query(
    `UPDATE contact_imports SET created = created + $3::int, updated = updated + $4::int, skipped = skipped + $5::int,
       failed = failed + $6::int, errors = CASE WHEN jsonb_array_length(errors) >= $8::int THEN errors
         ELSE jsonb_path_query_array(errors || $7::jsonb, '$[0 to $last]', jsonb_build_object('last', $8::int - 1)) END
     WHERE workspace_id = $1 AND import_id = $2`,
    [workspaceId, importId, created, updated, skipped, failed, JSON.stringify(errors.slice(0, mostErrors)), mostErrors],
  );
}

export async function completeImport(sql: Sql, { workspaceId, importId }: ImportRef, now: Date): Promise<void> {
  await sql.query(
    `UPDATE contact_imports SET completed_at = $3::timestamptz WHERE workspace_id = $1 AND import_id = $2`,
    [workspaceId, importId, now],
  );
}

export async function purgeImports(sql: Sql, before: Date, limit: number): Promise<number> {
  const purged = await sql.query(
    `WITH gone AS (DELETE FROM contact_imports WHERE (workspace_id, import_id) IN (
         SELECT i.workspace_id, i.import_id FROM contact_imports i
         JOIN jobs j ON (j.workspace_id, j.job_id) = (i.workspace_id, i.import_id)
         WHERE i.created_at < $1::timestamptz AND j.finished_at IS NOT NULL LIMIT $2::int)
       RETURNING workspace_id, import_id)
     DELETE FROM jobs j USING gone WHERE (j.workspace_id, j.job_id) = (gone.workspace_id, gone.import_id)
     RETURNING j.job_id`,
    [before, limit],
  );
  return purged.length;
}
