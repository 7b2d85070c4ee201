import { createImportTable, type ImportRef, type ImportState } from "@canvass/jobs/imports";
import type { Sql } from "@canvass/postgres";
import type { ImportSettings, RowCounts, RowError } from "../../domain/imports/import-settings.ts";

export const contactImports = createImportTable("contact_imports");

export interface StoredImport extends ImportRef, ImportState, ImportSettings, RowCounts {
  total: number;
  errors: readonly RowError[];
  createdAt: Date;
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
