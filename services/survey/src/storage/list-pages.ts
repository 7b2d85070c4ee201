import type { Sql } from "@canvass/postgres";
import type { Page } from "@canvass/questions";
import { toPage, type StoredPage } from "./draft.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";

export interface PageRecord extends Omit<Page, "elements"> {
  /** From 1, within the survey. */
  sortOrder: number;
  elementIds: string[];
}

const LIST = `SELECT p.page_id AS "pageId", p.sort_order AS "sortOrder", p.title, p.loop, p.show_if AS "showIf",
  p.skip_logic AS "skipLogic", p.shuffle, p.block,
  coalesce(array_agg(e.element_id ORDER BY e.sort_order) FILTER (WHERE e.element_id IS NOT NULL), '{}') AS "elementIds"
FROM pages p LEFT JOIN elements e USING (workspace_id, survey_id, page_id)
WHERE p.workspace_id = $1 AND p.survey_id = $2
GROUP BY p.workspace_id, p.page_id
ORDER BY p.sort_order`;

export async function listPages(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<PageRecord[]> {
  return (await sql.query<StoredPage<PageRecord>>(LIST, [workspaceId, surveyId])).map(toPage);
}
