import type { Sql } from "@canvass/postgres";
import type { RowCounts, RowError } from "../../domain/imports/imported-rows.ts";
import type { VersionRef } from "../../domain/survey-ref.ts";

export interface ImportRef {
  workspaceId: string;
  importId: string;
}

export interface NewImport extends ImportRef, VersionRef {
  versionNumber: number;
  isTest: boolean;
  timeZone: string;
  headings: readonly string[];
  total: number;
}

export interface StoredImport extends NewImport, RowCounts {
  errors: readonly RowError[];
  createdAt: Date;
  completedAt: Date | null;
  hasBegun: boolean;
  outcome: "succeeded" | "failed" | "cancelled" | null;
  error: string | null;
}

/** The caller also inserts the rows and the job. */
export async function insertImport(sql: Sql, added: NewImport, now: Date): Promise<void> {
  const { workspaceId, importId, surveyId, versionId, versionNumber, isTest, timeZone, headings, total } = added;
  await sql.query(
    `INSERT INTO response_imports (workspace_id, import_id, survey_id, version_id, version_number, is_test, time_zone,
       headings, total, created_at)
     VALUES ($1, $2, $3, $4, $5::int, $6::bool, $7, $8::jsonb, $9::int, $10::timestamptz)`,
    [workspaceId, importId, surveyId, versionId, versionNumber, isTest, timeZone, JSON.stringify(headings), total, now],
  );
}

export async function findImport(sql: Sql, { workspaceId, importId }: ImportRef): Promise<StoredImport | undefined> {
  const [row] = await sql.query<StoredImport>(
    `SELECT i.workspace_id AS "workspaceId", i.import_id AS "importId", i.survey_id AS "surveyId",
       i.version_id AS "versionId", i.version_number AS "versionNumber", i.is_test AS "isTest",
       i.time_zone AS "timeZone", i.headings, i.total, i.imported, i.skipped, i.failed, i.violations, i.errors,
       i.created_at AS "createdAt", i.completed_at AS "completedAt",
       j.lease_id IS NOT NULL OR j.done > 0 AS "hasBegun", j.outcome, j.error
     FROM response_imports i JOIN jobs j ON (j.workspace_id, j.job_id) = (i.workspace_id, i.import_id)
     WHERE i.workspace_id = $1 AND i.import_id = $2`,
    [workspaceId, importId],
  );
  return row;
}

/** Serializes the creation of imports of a workspace until the transaction ends. */
export async function countOpenImports(sql: Sql, workspaceId: string): Promise<number> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('imports ' || $1, 0))::text AS locked`, [workspaceId]);
  const [row] = await sql.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM jobs j
       JOIN response_imports i ON (i.workspace_id, i.import_id) = (j.workspace_id, j.job_id)
     WHERE j.workspace_id = $1 AND j.outcome IS NULL AND j.due_at IS NOT NULL`,
    [workspaceId],
  );
  return row!.open;
}

export async function addImportCounts(
  sql: Sql,
  { workspaceId, importId }: ImportRef,
  { imported, skipped, failed, violations }: RowCounts,
  errors: readonly RowError[],
  mostErrors: number,
): Promise<void> {
  const shown = JSON.stringify(errors.slice(0, mostErrors));
  await sql.query(
    `UPDATE response_imports SET imported = imported + $3::int, skipped = skipped + $4::int, failed = failed + $5::int,
       violations = violations + $6::int,
       errors = jsonb_path_query_array(errors || $7::jsonb, '$[0 to $last]', jsonb_build_object('last', $8::int - 1))
     WHERE workspace_id = $1 AND import_id = $2`,
    [workspaceId, importId, imported, skipped, failed, violations, shown, mostErrors],
  );
}

export async function completeImport(sql: Sql, { workspaceId, importId }: ImportRef, now: Date): Promise<void> {
  await sql.query(
    `UPDATE response_imports SET completed_at = $3::timestamptz WHERE workspace_id = $1 AND import_id = $2`,
    [workspaceId, importId, now],
  );
}

export async function purgeImports(sql: Sql, before: Date, limit: number): Promise<number> {
  const purged = await sql.query(
    `WITH gone AS (DELETE FROM response_imports WHERE (workspace_id, import_id) IN (
         SELECT i.workspace_id, i.import_id FROM response_imports i
         JOIN jobs j ON (j.workspace_id, j.job_id) = (i.workspace_id, i.import_id)
         WHERE i.created_at < $1::timestamptz AND j.finished_at IS NOT NULL LIMIT $2::int)
       RETURNING workspace_id, import_id)
     DELETE FROM jobs j USING gone WHERE (j.workspace_id, j.job_id) = (gone.workspace_id, gone.import_id)
     RETURNING j.job_id`,
    [before, limit],
  );
  return purged.length;
}
