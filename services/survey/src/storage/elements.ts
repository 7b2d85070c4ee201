import type { Sql } from "@canvass/postgres";
import type { ElementRow } from "../domain/element-view.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";

/** An element, and the page that has it. */
export type ElementPlace = readonly [elementId: string, pageId: string];

/** `limit` is 1 to 100. `page` counts from 1; with `after` it is 1. */
export interface ElementPageRef extends SurveyRef {
  limit: number;
  page: number;
  after: ElementPlace | undefined;
  includeContent: boolean;
}

export interface ElementRows {
  revision: number;
  rows: ElementRow[];
  hasMore: boolean;
}

/**
 * Returns one row without an element if the survey has no such page, and one row more than the page holds if more
 * follow. After an element that was removed, its page starts again; if the page was removed, too, the survey does.
 */
const FIND = `SELECT wanted.index::int4 AS index, s.revision, e.*
FROM unnest($1::text[], $2::text[], $3::int8[], $4::int8[], $5::boolean[], $6::text[], $7::text[]) WITH ORDINALITY
  AS wanted (workspace_id, survey_id, taken, skipped, content, after_id, after_page, index)
JOIN surveys s USING (workspace_id, survey_id)
LEFT JOIN elements former ON (former.workspace_id, former.survey_id, former.element_id)
  = (s.workspace_id, s.survey_id, wanted.after_id)
LEFT JOIN pages former_page ON (former_page.workspace_id, former_page.survey_id, former_page.page_id)
  = (s.workspace_id, s.survey_id, coalesce(former.page_id, wanted.after_page))
LEFT JOIN LATERAL (
  SELECT e.element_id AS "elementId", e.page_id AS "pageId", e.question_id AS "questionId", e.name, e.type,
    e.sort_order AS "sortOrder", e.question_text AS "questionText", e.help_text AS "helpText",
    date_part('epoch', e.created_at) * 1000 AS "createdAt", date_part('epoch', e.updated_at) * 1000 AS "updatedAt",
    CASE WHEN wanted.content THEN e.type_settings END AS "typeSettings",
    CASE WHEN wanted.content THEN e.response_validation END AS "responseValidation",
    CASE WHEN wanted.content THEN e.choices END AS choices, CASE WHEN wanted.content THEN e.rows END AS rows,
    CASE WHEN wanted.content THEN e.columns END AS columns, CASE WHEN wanted.content THEN e.logic END AS logic
  FROM elements e JOIN pages p USING (workspace_id, survey_id, page_id)
  WHERE e.workspace_id = s.workspace_id AND e.survey_id = s.survey_id
    AND (p.sort_order, e.sort_order) > (coalesce(former_page.sort_order, 0), coalesce(former.sort_order, 0))
  ORDER BY p.sort_order, e.sort_order LIMIT wanted.taken + 1 OFFSET wanted.skipped
) e ON wanted.skipped < s.question_count
ORDER BY wanted.index`;

/** Reads pages with one statement, in the order of `refs`; undefined where the survey does not exist. */
export async function findElementPages(
  sql: Sql,
  refs: readonly ElementPageRef[],
): Promise<(ElementRows | undefined)[]> {
  if (refs.length === 0) return [];
  const rows = await sql.query<ElementRow & { index: number; revision: number }>(FIND, [
    refs.map(({ workspaceId }) => workspaceId),
    refs.map(({ surveyId }) => surveyId),
    refs.map(({ limit }) => limit),
    refs.map(({ limit, page }) => (page - 1) * limit),
    refs.map(({ includeContent }) => includeContent),
    refs.map(({ after }) => after?.[0] ?? ""),
    refs.map(({ after }) => after?.[1] ?? ""),
  ]);
  const pages: (ElementRows | undefined)[] = refs.map(() => undefined);
  for (const row of rows) {
    const page = (pages[row.index - 1] ??= { revision: row.revision, rows: [], hasMore: false });
    if (row.elementId === null) continue;
    if (page.rows.length < refs[row.index - 1]!.limit) page.rows.push(row);
    else page.hasMore = true;
  }
  return pages;
}

export interface ElementCount extends SurveyRef {
  revision: number;
  total: number;
}

const COUNT = `SELECT s.workspace_id AS "workspaceId", s.survey_id AS "surveyId", s.revision, s.question_count AS total
FROM unnest($1::text[], $2::text[]) AS wanted (workspace_id, survey_id)
JOIN surveys s USING (workspace_id, survey_id)`;

/** Reads the surveys' stored counters with one statement, in any order. `refs` must be unique. */
export async function findElementCounts(sql: Sql, refs: readonly SurveyRef[]): Promise<ElementCount[]> {
  if (refs.length === 0) return [];
  return sql.query<ElementCount>(COUNT, [
    refs.map(({ workspaceId }) => workspaceId),
    refs.map(({ surveyId }) => surveyId),
  ]);
}
