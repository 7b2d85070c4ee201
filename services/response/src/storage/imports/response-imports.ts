import { createImportTable, type ImportRef, type ImportState } from "@canvass/jobs/imports";
import type { Sql } from "@canvass/postgres";
import type { RowCounts, RowError } from "../../domain/imports/imported-rows.ts";
import type { VersionRef } from "../../domain/survey-ref.ts";

export const responseImports = createImportTable("response_imports");

export interface NewImport extends ImportRef, VersionRef {
  versionNumber: number;
  isTest: boolean;
  timeZone: string;
  headings: readonly string[];
  total: number;
}

export interface StoredImport extends NewImport, ImportState, RowCounts {
  errors: readonly RowError[];
  createdAt: Date;
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
