import type { Sql } from "@canvass/postgres";
import type { FileRef } from "../../domain/files/uploaded-file.ts";

/** Files whose content is complete, whether or not an answer names them (`answered`). */
export function findStoredFiles(sql: Sql, workspaceId: string): Promise<FileRef[]> {
  return sql.query<FileRef>(
    `SELECT workspace_id AS "workspaceId", file_id AS "fileId" FROM uploaded_files
     WHERE workspace_id = $1 AND state IN ('stored', 'answered') ORDER BY file_id`,
    [workspaceId],
  );
}
