import type { Sql } from "@canvass/postgres";
import type { ExportOptions } from "../../domain/exports/export-options.ts";
import type { ExportWarning } from "../../domain/exports/export-warnings.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";

export interface ExportRef {
  workspaceId: string;
  exportId: string;
}

export interface StoredExport extends ExportRef {
  surveyId: string;
  options: ExportOptions;
  revision: number;
  createdAt: Date;
  completedAt: Date | null;
  rowCount: number | null;
  sizeBytes: number | null;
  expiresAt: Date | null;
  warnings: readonly ExportWarning[];
  hasBegun: boolean;
  done: number;
  total: number | null;
  outcome: "succeeded" | "failed" | "cancelled" | null;
  cancelRequested: boolean;
  error: string | null;
}

/** The caller must insert its job, too. */
export async function insertExport(
  sql: Sql,
  { workspaceId, surveyId, exportId, options }: ExportRef & SurveyRef & { options: ExportOptions },
  now: Date,
): Promise<void> {
  await sql.query(
    `INSERT INTO exports (workspace_id, export_id, survey_id, options, created_at)
     VALUES ($1, $2, $3, $4::jsonb, $5::timestamptz)`,
    [workspaceId, exportId, surveyId, JSON.stringify(options), now],
  );
}

/** Blocks others from counting or adding to the workspace's exports and file bytes until the transaction ends. */
export async function lockExports(sql: Sql, workspaceId: string): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('exports ' || $1, 0))::text AS locked`, [workspaceId]);
}

export async function countOpenExports(sql: Sql, workspaceId: string): Promise<number> {
  const [row] = await sql.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM jobs j
       JOIN exports e ON (e.workspace_id, e.export_id) = (j.workspace_id, j.job_id)
     WHERE j.workspace_id = $1 AND j.outcome IS NULL AND j.due_at IS NOT NULL`,
    [workspaceId],
  );
  return row!.open;
}

export async function findExport(sql: Sql, { workspaceId, exportId }: ExportRef): Promise<StoredExport | undefined> {
  const [row] = await sql.query<StoredExport>(
    `SELECT e.workspace_id AS "workspaceId", e.export_id AS "exportId", e.survey_id AS "surveyId", e.options, e.revision,
       e.created_at AS "createdAt", e.completed_at AS "completedAt", e.row_count AS "rowCount",
       e.size_bytes::float8 AS "sizeBytes", e.expires_at AS "expiresAt", e.warnings,
       j.lease_id IS NOT NULL OR j.attempts > 0 AS "hasBegun", j.done, j.total, j.outcome,
       j.cancel_requested AS "cancelRequested", j.error
     FROM exports e JOIN jobs j ON (j.workspace_id, j.job_id) = (e.workspace_id, e.export_id)
     WHERE e.workspace_id = $1 AND e.export_id = $2`,
    [workspaceId, exportId],
  );
  return row;
}

/** Undefined if the export is completed, or is gone. */
export async function findUnfinishedRevision(
  sql: Sql,
  { workspaceId, exportId }: ExportRef,
): Promise<number | undefined> {
  const [row] = await sql.query<{ revision: number }>(
    `SELECT revision FROM exports WHERE workspace_id = $1 AND export_id = $2 AND completed_at IS NULL`,
    [workspaceId, exportId],
  );
  return row?.revision;
}

export interface FinishedFile {
  revision: number;
  rowCount: number;
  sizeBytes: number;
  warnings: readonly ExportWarning[];
  completedAt: Date;
  expiresAt: Date;
}

/** Offers the file. Returns false and stores nothing if answers were erased since the export began. */
export async function completeExport(
  sql: Sql,
  { workspaceId, exportId }: ExportRef,
  { revision, rowCount, sizeBytes, warnings, completedAt, expiresAt }: FinishedFile,
): Promise<boolean> {
  const completed = await sql.query(
    `UPDATE exports SET row_count = $4, size_bytes = $5, completed_at = $6::timestamptz, expires_at = $7::timestamptz,
       warnings = $8::jsonb
     WHERE workspace_id = $1 AND export_id = $2 AND revision = $3 AND completed_at IS NULL RETURNING export_id`,
    [workspaceId, exportId, revision, rowCount, sizeBytes, completedAt, expiresAt, JSON.stringify(warnings)],
  );
  return completed.length === 1;
}

/** Sums export bytes: undeleted files, and for running exports the larger of parts and file. Leaves out `except`. */
export async function sumFileBytes(sql: Sql, workspaceId: string, except = ""): Promise<number> {
  const [row] = await sql.query<{ bytes: number }>(
    `SELECT coalesce(sum(CASE WHEN e.completed_at IS NULL THEN greatest((j.checkpoint ->> 'fileBytes')::int8, (
         SELECT sum((part ->> 'bytes')::int8) FROM jsonb_array_elements(j.checkpoint -> 'parts') AS part))
       ELSE e.size_bytes END), 0)::float8 AS bytes
     FROM exports e JOIN jobs j ON (j.workspace_id, j.job_id) = (e.workspace_id, e.export_id)
     WHERE e.workspace_id = $1 AND e.export_id <> $2 AND e.files_deleted_at IS NULL
       AND (e.completed_at IS NOT NULL OR j.outcome IS NULL)`,
    [workspaceId, except],
  );
  return row!.bytes;
}

export async function expireExport(sql: Sql, { workspaceId, exportId }: ExportRef, now: Date): Promise<void> {
  await sql.query(
    `UPDATE exports SET expires_at = least(expires_at, $3::timestamptz)
     WHERE workspace_id = $1 AND export_id = $2 AND completed_at IS NOT NULL`,
    [workspaceId, exportId, now],
  );
}

const lockErasures = (lock: string) =>
  `SELECT ${lock}(hashtextextended('export erasures ' || $1 || ' ' || $2, 0))::text AS locked`;

/**
 * Waits for erasures of the survey in progress, and blocks others until the transaction ends. An export that is
 * inserted before an erasure commits would read the erased answers, and the erasure would not expire it.
 */
export async function awaitErasures(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<void> {
  await sql.query(lockErasures("pg_advisory_xact_lock"), [workspaceId, surveyId]);
}

/**
 * Call in an erasure's transaction: finished exports expire, others start over, new ones wait (`awaitErasures`).
 * Returns the number of finished ones.
 */
export async function expireExportsOf(sql: Sql, { workspaceId, surveyId }: SurveyRef, now: Date): Promise<number> {
  await sql.query(lockErasures("pg_advisory_xact_lock_shared"), [workspaceId, surveyId]);
  const rows = await sql.query<{ finished: boolean }>(
    // least() ignores null, and an unfinished export must not get an expiry.
    `UPDATE exports SET revision = revision + 1,
       expires_at = CASE WHEN completed_at IS NOT NULL THEN least(expires_at, $3::timestamptz) END
     WHERE workspace_id = $1 AND survey_id = $2 AND files_deleted_at IS NULL
       AND (expires_at IS NULL OR expires_at > $3::timestamptz)
     RETURNING completed_at IS NOT NULL AS finished`,
    [workspaceId, surveyId, now],
  );
  return rows.filter(({ finished }) => finished).length;
}

export function findDeletableExports(sql: Sql, now: Date, limit: number): Promise<ExportRef[]> {
  return sql.query<ExportRef>(
    `SELECT e.workspace_id AS "workspaceId", e.export_id AS "exportId"
     FROM exports e JOIN jobs j ON (j.workspace_id, j.job_id) = (e.workspace_id, e.export_id)
     WHERE e.files_deleted_at IS NULL AND (e.expires_at <= $1::timestamptz OR j.outcome IN ('failed', 'cancelled'))
     LIMIT $2::int`,
    [now, limit],
  );
}

export async function markFilesDeleted(sql: Sql, { workspaceId, exportId }: ExportRef, now: Date): Promise<void> {
  await sql.query(`UPDATE exports SET files_deleted_at = $3::timestamptz WHERE workspace_id = $1 AND export_id = $2`, [
    workspaceId,
    exportId,
    now,
  ]);
}

export async function purgeExports(sql: Sql, before: Date, limit: number): Promise<number> {
  const purged = await sql.query(
    `WITH gone AS (DELETE FROM exports WHERE (workspace_id, export_id) IN (
         SELECT workspace_id, export_id FROM exports WHERE files_deleted_at < $1::timestamptz LIMIT $2::int)
       RETURNING workspace_id, export_id)
     DELETE FROM jobs j USING gone WHERE (j.workspace_id, j.job_id) = (gone.workspace_id, gone.export_id)
     RETURNING j.job_id`,
    [before, limit],
  );
  return purged.length;
}

/** Returns those of the elements that the survey collects or has collected. */
export async function findKnownElements(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  elementIds: readonly string[],
): Promise<string[]> {
  const rows = await sql.query<{ elementId: string }>(
    `SELECT question ->> 'elementId' AS "elementId" FROM known_questions
     WHERE workspace_id = $1 AND survey_id = $2 AND question ->> 'elementId' = ANY($3::text[])`,
    [workspaceId, surveyId, elementIds],
  );
  return rows.map(({ elementId }) => elementId);
}

export function findFinishedExports(
  sql: Sql,
  workspaceId: string,
): Promise<(ExportRef & { revision: number; format: ExportOptions["format"] })[]> {
  return sql.query(
    `SELECT workspace_id AS "workspaceId", export_id AS "exportId", revision, options->>'format' AS format FROM exports
     WHERE workspace_id = $1 AND completed_at IS NOT NULL AND files_deleted_at IS NULL ORDER BY export_id`,
    [workspaceId],
  );
}
