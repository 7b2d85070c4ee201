import type { Sql } from "@canvass/postgres";
import type { Page } from "@canvass/questions";
import type { SurveyRef } from "../domain/survey-ref.ts";
import type { Stored } from "./content-columns.ts";
import { toPage, UNTRANSLATED_PAGE_COLUMNS } from "./page-columns.ts";

export interface PageRecord extends Omit<Page, "elements"> {
  /** From 1, within the survey. */
  sortOrder: number;
  elementIds: string[];
}

const LIST = `SELECT ${UNTRANSLATED_PAGE_COLUMNS}, p.sort_order AS "sortOrder",
  coalesce(array_agg(e.element_id ORDER BY e.sort_order) FILTER (WHERE e.element_id IS NOT NULL), '{}') AS "elementIds"
FROM pages p LEFT JOIN elements e USING (workspace_id, survey_id, page_id)
WHERE p.workspace_id = $1 AND p.survey_id = $2
GROUP BY p.workspace_id, p.page_id
ORDER BY p.sort_order`;

export async function listPages(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<PageRecord[]> {
  return (await sql.query<Stored<PageRecord>>(LIST, [workspaceId, surveyId])).map(toPage);
}
