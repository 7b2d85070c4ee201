import type { Sql } from "@canvass/postgres";
import type { FileCapacity, FileSum, UnansweredFiles } from "../../domain/files/file-limits.ts";
import type { FileRef } from "../../domain/files/uploaded-file.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import type { RespondentRef } from "../respondents/respondents.ts";

export interface FileOrigin extends RespondentRef, SurveyRef {
  /** Distributor of the link. Empty for an upload with a token. */
  distributorId: string;
  clientKey: string;
}

export interface BegunFile extends FileRef, FileOrigin {
  elementId: string;
  isTest: boolean;
  name: string;
  /** Reserved bytes. */
  sizeBytes: number;
  createdAt: Date;
  expiresAt: Date;
}

/** Adds to the workspace's total; returns false beyond `most`. Blocks its other uploads until the transaction ends. */
export async function addToTotal(sql: Sql, workspaceId: string, bytes: number, most: number): Promise<boolean> {
  const added = await sql.query(
    `INSERT INTO file_totals AS t (workspace_id, bytes) SELECT $1, $2::int8 WHERE $2::int8 <= $3::int8
     ON CONFLICT (workspace_id) DO UPDATE SET bytes = t.bytes + excluded.bytes
       WHERE t.bytes + excluded.bytes <= $3::int8 RETURNING workspace_id`,
    [workspaceId, bytes, most],
  );
  return added.length === 1;
}

export async function insertUpload(sql: Sql, file: BegunFile): Promise<void> {
  const { workspaceId, fileId, surveyId, elementId, respondentId, distributorId, clientKey } = file;
  const { isTest, name, sizeBytes, createdAt, expiresAt } = file;
  await sql.query(
    `INSERT INTO uploaded_files (workspace_id, file_id, survey_id, element_id, respondent_id, distributor_id, client_key,
       is_test, name, size_bytes, state, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'uploading', $11::timestamptz, $12::timestamptz)`,
    [
      workspaceId,
      fileId,
      surveyId,
      elementId,
      respondentId,
      distributorId,
      clientKey,
      isTest,
      name,
      sizeBytes,
      createdAt,
      expiresAt,
    ],
  );
}

/** Conditions that select the files that share a capacity (file-limits.ts). An empty property matches no file. */
const sharing: Record<FileCapacity, string> = {
  workspace: "true",
  guests: "distributor_id <> '' AND $3 <> ''",
  survey: "survey_id = $2",
  link: "distributor_id = $3 AND $3 <> ''",
  client: "client_key = $4 AND $4 <> ''",
  respondent: "respondent_id = $5 AND $5 <> ''",
};
const sums = Object.entries(sharing).map(
  ([capacity, which]) => `'${capacity}', json_build_object('files', count(*) FILTER (WHERE ${which}),
     'bytes', coalesce(sum(size_bytes) FILTER (WHERE ${which}), 0))`,
);

export async function sumUnanswered(sql: Sql, origin: FileOrigin): Promise<UnansweredFiles> {
  const { workspaceId, surveyId, distributorId, clientKey, respondentId } = origin;
  const [row] = await sql.query<{ sums: Record<FileCapacity, FileSum> }>(
    `SELECT json_build_object(${sums.join(", ")}) AS sums
     FROM uploaded_files WHERE workspace_id = $1 AND expires_at IS NOT NULL`,
    [workspaceId, surveyId, distributorId, clientKey, respondentId],
  );
  return row!.sums;
}

export interface CompleteFile {
  sizeBytes: number;
  mimeType: string;
  sha256: string;
  expiresAt: Date;
}

/** Returns false and changes nothing if the upload was abandoned or its respondent erased. */
export async function completeUpload(
  sql: Sql,
  { workspaceId, fileId }: FileRef,
  { sizeBytes, mimeType, sha256, expiresAt }: CompleteFile,
): Promise<boolean> {
  const completed = await sql.query(
    `WITH before AS (SELECT size_bytes FROM uploaded_files
         WHERE workspace_id = $1 AND file_id = $2 AND state = 'uploading' FOR UPDATE),
       total AS (UPDATE file_totals SET bytes = greatest(0, bytes - before.size_bytes + $3::int8) FROM before
         WHERE workspace_id = $1)
     UPDATE uploaded_files f SET state = 'stored', size_bytes = $3::int8, mime_type = $4, sha256 = $5,
       expires_at = $6::timestamptz
     FROM before WHERE f.workspace_id = $1 AND f.file_id = $2 RETURNING f.file_id`,
    [workspaceId, fileId, sizeBytes, mimeType, sha256, expiresAt],
  );
  return completed.length === 1;
}

/** Reports whether a respondent exists. Prevents its erasure until the transaction ends. */
export async function holdRespondent(sql: Sql, workspaceId: string, respondentId: string): Promise<boolean> {
  const held = await sql.query(
    "SELECT respondent_id FROM respondents WHERE (workspace_id, respondent_id) = ($1, $2) FOR KEY SHARE",
    [workspaceId, respondentId],
  );
  return held.length === 1;
}
