import type { Sql } from "@canvass/postgres";
import type { SurveyRef } from "../../domain/survey-ref.ts";

/** Lets one import add respondents to a survey at a time, until the transaction ends. */
export async function lockExternalIds(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<void> {
  const name = `external ids ${workspaceId} ${surveyId}`;
  await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text AS locked", [name]);
}

/** Returns those of the ids that respondents of the survey have. Call `lockExternalIds` before. */
export async function findExternalIds(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  isTest: boolean,
  externalIds: readonly string[],
): Promise<string[]> {
  if (externalIds.length === 0) return [];
  const rows = await sql.query<{ externalId: string }>(
    `SELECT external_id AS "externalId" FROM respondents
     WHERE workspace_id = $1 AND survey_id = $2 AND external_id = ANY($3::text[]) AND is_test = $4::bool`,
    [workspaceId, surveyId, externalIds, isTest],
  );
  return rows.map(({ externalId }) => externalId);
}
