import type { Sql } from "@canvass/postgres";
import type { SurveyRef } from "../domain/survey-ref.ts";
import type { CollectionRow } from "./collections.ts";

export interface PublicSurveyRow extends CollectionRow {
  name: string;
  description: string;
  language: string;
}

export async function findPublicSurvey(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
): Promise<PublicSurveyRow | undefined> {
  const [row] = await sql.query<PublicSurveyRow>(
    `SELECT workspace_id AS "workspaceId", survey_id AS "surveyId", active, published_version_id AS "versionId",
       published_version AS "versionNumber", settings::text AS "settingsJson", revision, name, description, language
     FROM surveys WHERE (workspace_id, survey_id) = ($1, $2)`,
    [workspaceId, surveyId],
  );
  return row;
}

/** Returns the hash of a survey's password; undefined if the survey has none or does not exist. */
export async function findPasswordHash(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<string | undefined> {
  const [row] = await sql.query<{ hash: string | null }>(
    "SELECT settings #>> '{access,password}' AS hash FROM surveys WHERE (workspace_id, survey_id) = ($1, $2)",
    [workspaceId, surveyId],
  );
  return row?.hash ?? undefined;
}
