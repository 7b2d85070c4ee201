import type { Sql } from "@canvass/postgres";
import type { FileRef } from "../../domain/files/uploaded-file.ts";
import type { RespondentRef } from "../respondents/respondents.ts";

/** The row stays until its bytes are deleted, so it must not identify a person. */
const asDeleted = "state = 'deleted', name = '', sha256 = '', respondent_id = '', client_key = ''";

/** Abandons an upload. A complete file stays: if its commit succeeded but the response was lost, a retry gets it. */
export async function dropUpload(sql: Sql, { workspaceId, fileId }: FileRef, now: Date): Promise<void> {
  await sql.query(
    `UPDATE uploaded_files SET ${asDeleted}, expires_at = $3::timestamptz
     WHERE workspace_id = $1 AND file_id = $2 AND state IN ('uploading', 'deleted')`,
    [workspaceId, fileId, now],
  );
}

/** Drops a respondent's files; returns how many were complete. The row of an unfinished upload stays until its end. */
export async function dropRespondentFiles(
  sql: Sql,
  { workspaceId, respondentId }: RespondentRef,
  now: Date,
): Promise<number> {
  const rows = await sql.query<{ wasWhole: boolean }>(
    `WITH before AS (SELECT workspace_id, file_id, state FROM uploaded_files
       WHERE workspace_id = $1 AND respondent_id = $2 AND $2 <> '' ORDER BY file_id FOR UPDATE)
     UPDATE uploaded_files f SET ${asDeleted},
       expires_at = CASE WHEN before.state = 'uploading' THEN f.expires_at ELSE $3::timestamptz END FROM before
     WHERE (f.workspace_id, f.file_id) = (before.workspace_id, before.file_id)
     RETURNING before.state <> 'uploading' AS "wasWhole"`,
    [workspaceId, respondentId, now],
  );
  return rows.filter(({ wasWhole }) => wasWhole).length;
}

/** Marks expired files as deleted, so that no answer can name them. Returns them, also those marked by earlier calls. */
export function markExpired(sql: Sql, now: Date, limit: number): Promise<FileRef[]> {
  return sql.query<FileRef>(
    `UPDATE uploaded_files f SET ${asDeleted} FROM (
       SELECT workspace_id, file_id FROM uploaded_files WHERE expires_at <= $1::timestamptz
       ORDER BY expires_at LIMIT $2::int FOR UPDATE SKIP LOCKED) AS expired
     WHERE (f.workspace_id, f.file_id) = (expired.workspace_id, expired.file_id)
     RETURNING f.workspace_id AS "workspaceId", f.file_id AS "fileId"`,
    [now, limit],
  );
}

/** Deletes the row of a file that is marked as deleted, and takes its bytes out of the workspace's total. */
export async function removeDeletedRow(sql: Sql, { workspaceId, fileId }: FileRef): Promise<void> {
  await sql.query(
    `WITH gone AS (DELETE FROM uploaded_files WHERE workspace_id = $1 AND file_id = $2 AND state = 'deleted'
       RETURNING size_bytes)
     UPDATE file_totals SET bytes = greatest(0, bytes - gone.size_bytes) FROM gone WHERE workspace_id = $1`,
    [workspaceId, fileId],
  );
}

export async function postponeDeletion(sql: Sql, { workspaceId, fileId }: FileRef, until: Date): Promise<void> {
  await sql.query(
    `UPDATE uploaded_files SET expires_at = $3::timestamptz WHERE workspace_id = $1 AND file_id = $2 AND state = 'deleted'`,
    [workspaceId, fileId, until],
  );
}
