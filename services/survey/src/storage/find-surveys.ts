import type { Sql } from "@canvass/postgres";
import type { SurveyRecord } from "../domain/survey-record.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { SURVEY_COLUMNS, toSurveyRecord, type SurveyRow } from "./survey-columns.ts";

const FIND = `SELECT ${SURVEY_COLUMNS}
FROM unnest($1::text[], $2::text[]) AS wanted (workspace_id, survey_id)
JOIN surveys s USING (workspace_id, survey_id)
JOIN response_counts c USING (workspace_id, survey_id)`;

const LOCK = `SELECT ${SURVEY_COLUMNS}
FROM surveys s JOIN response_counts c USING (workspace_id, survey_id)
WHERE s.workspace_id = $1 AND s.survey_id = $2
FOR UPDATE OF s`;

/** Reads surveys with one statement, in any order; those that do not exist are left out. Name each only once. */
export async function findSurveys(sql: Sql, refs: readonly SurveyRef[]): Promise<SurveyRecord[]> {
  if (refs.length === 0) return [];
  const rows = await sql.query<SurveyRow>(FIND, [
    refs.map(({ workspaceId }) => workspaceId),
    refs.map(({ surveyId }) => surveyId),
  ]);
  return rows.map(toSurveyRecord);
}

/** Reads a survey and holds it until the transaction ends: of all who write it or its draft, one goes on. */
export async function lockSurvey(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<SurveyRecord | undefined> {
  const [row] = await sql.query<SurveyRow>(LOCK, [workspaceId, surveyId]);
  return row && toSurveyRecord(row);
}
