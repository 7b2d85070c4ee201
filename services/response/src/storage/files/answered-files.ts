import { rowsAsJson, type Sql, type Statement } from "@canvass/postgres";
import type { FileUse } from "../../domain/submissions/batch-changes.ts";
import type { FileRef, UploadedFile } from "../../domain/files/uploaded-file.ts";

const columns = `f.workspace_id AS "workspaceId", f.file_id AS "fileId", f.survey_id AS "surveyId",
  f.element_id AS "elementId", f.respondent_id AS "respondentId", f.is_test AS "isTest",
  f.state = 'answered' AS "isAnswered", f.name, f.size_bytes::float8 AS size, f.mime_type AS "mimeType"`;

/** Locks complete files until the transaction ends, in key order. Leaves out missing ones. */
export function lockFiles(sql: Sql, refs: readonly FileRef[]): Promise<UploadedFile[]> {
  return sql.query<UploadedFile>(
    `SELECT ${columns} FROM uploaded_files f
       JOIN (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS r (workspace_id, file_id)) AS wanted
         USING (workspace_id, file_id)
     WHERE f.state IN ('stored', 'answered') ORDER BY f.workspace_id, f.file_id FOR UPDATE OF f`,
    [refs.map(({ workspaceId }) => workspaceId), refs.map(({ fileId }) => fileId)],
  );
}

export async function findFile(sql: Sql, { workspaceId, fileId }: FileRef): Promise<UploadedFile | undefined> {
  const [row] = await sql.query<UploadedFile>(
    `SELECT ${columns} FROM uploaded_files f
     WHERE f.workspace_id = $1 AND f.file_id = $2 AND f.state IN ('stored', 'answered')`,
    [workspaceId, fileId],
  );
  return row;
}

export async function fileStatements(uses: ReadonlyMap<string, FileUse>): Promise<Statement[]> {
  if (uses.size === 0) return [];
  const text = `UPDATE uploaded_files f SET respondent_id = u.respondent_id, is_test = u.is_test, client_key = '',
      expires_at = u.expires_at, state = CASE WHEN u.expires_at IS NULL THEN 'answered' ELSE 'stored' END
    FROM json_to_recordset($1::json) AS u (workspace_id text, file_id text, respondent_id text, is_test boolean,
      expires_at timestamptz)
    WHERE (f.workspace_id, f.file_id) = (u.workspace_id, u.file_id) AND f.state IN ('stored', 'answered')`;
  return [{ text, params: [await rowsAsJson(uses.values())] }];
}
