import type { Sql } from "@canvass/postgres";
import type { DocumentKeys } from "@canvass/questions";
import type { SurveyRef } from "../domain/survey-ref.ts";

const FIND = `SELECT id, key FROM document_keys WHERE workspace_id = $1 AND survey_id = $2 AND id = ANY($3::text[])`;

/** Reads the stored keys of `ids` only, since keys of what left the survey stay. */
export async function findDocumentKeys(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  ids: readonly string[],
): Promise<DocumentKeys> {
  const rows = await sql.query<{ id: string; key: string }>(FIND, [workspaceId, surveyId, ids]);
  return new Map(rows.map(({ id, key }) => [id, key]));
}

const FIND_IDS = `SELECT id FROM document_keys WHERE workspace_id = $1 AND survey_id = $2 AND key = ANY($3::text[])`;

/** Returns the ids that have one of the keys, also of what left the survey. */
export async function findIdsOfKeys(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  keys: readonly string[],
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(FIND_IDS, [workspaceId, surveyId, keys]);
  return rows.map(({ id }) => id);
}

const INSERT = `INSERT INTO document_keys (workspace_id, survey_id, id, key)
SELECT $1, $2, k.id, k.key FROM unnest($3::text[], $4::text[]) AS k (id, key)
ON CONFLICT DO NOTHING`;

const atOnce = 5_000;

/** Stores the keys of ids that have none; ignores the others, because a key never changes. */
export async function insertDocumentKeys(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  keys: DocumentKeys,
): Promise<void> {
  const entries = [...keys];
  for (let from = 0; from < entries.length; from += atOnce) {
    const some = entries.slice(from, from + atOnce);
    await sql.query(INSERT, [workspaceId, surveyId, some.map(([id]) => id), some.map(([, key]) => key)]);
  }
}
