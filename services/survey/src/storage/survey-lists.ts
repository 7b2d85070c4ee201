import type { Sql } from "@canvass/postgres";
import { listsOf, surveyLists, type SurveyLists } from "@canvass/questions";
import type { SurveyRef } from "../domain/survey-ref.ts";

/** A query for the lists of the draft of survey `$2` in workspace `$1`, without those that are empty. */
export const DRAFT_LISTS = `SELECT ${surveyLists
  .map((name) => `CASE WHEN s.${name} = '[]' THEN '{}' ELSE jsonb_build_object('${name}', s.${name}) END`)
  .join(" || ")} AS lists FROM surveys s WHERE s.workspace_id = $1 AND s.survey_id = $2`;

export async function readLists(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<SurveyLists> {
  const [row] = await sql.query<{ lists: SurveyLists }>(DRAFT_LISTS, [workspaceId, surveyId]);
  return row?.lists ?? {};
}

const SAVE = `UPDATE surveys SET ${surveyLists.map((name, at) => `${name} = $${at + 3}`).join(", ")}
WHERE workspace_id = $1 AND survey_id = $2`;

/** Replaces all lists. The transaction must have locked the survey, and save the survey after this. */
export async function saveLists(sql: Sql, { workspaceId, surveyId }: SurveyRef, lists: SurveyLists): Promise<void> {
  const values = surveyLists.map((name) => JSON.stringify(listsOf(lists)[name] ?? []));
  await sql.query(SAVE, [workspaceId, surveyId, ...values]);
}

/** An expression for the bytes that the lists of a row of surveys take; 0 for empty ones. */
export const listBytesSql = (row: string): string =>
  surveyLists.map((name) => `octet_length(${row}.${name}::text) - 2`).join(" + ");
