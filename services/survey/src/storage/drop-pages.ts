import type { Sql } from "@canvass/postgres";
import type { SurveyDefinition } from "@canvass/questions";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { saveStructure } from "./save-structure.ts";

const DELETE = `DELETE FROM pages WHERE workspace_id = $1 AND survey_id = $2 AND page_id <> ALL($3::text[])`;

const CLOSE_UP = `UPDATE pages p SET sort_order = o.at FROM unnest($3::text[]) WITH ORDINALITY AS o (page_id, at)
WHERE p.workspace_id = $1 AND p.survey_id = $2 AND p.page_id = o.page_id AND p.sort_order <> o.at`;

/** Deletes the pages that `after` lacks; they must be empty. The transaction must have locked the survey. */
export async function dropPages(
  sql: Sql,
  survey: SurveyRef,
  before: SurveyDefinition,
  after: SurveyDefinition,
): Promise<void> {
  if (after.pages.length === before.pages.length) return;
  await saveStructure(sql, survey, before, after);
  const key = [survey.workspaceId, survey.surveyId, after.pages.map(({ pageId }) => pageId)];
  await sql.query(DELETE, key);
  await sql.query(CLOSE_UP, key);
}
