import { mapInSlices } from "@canvass/fairness";
import type { Sql } from "@canvass/postgres";
import { questionWeight, type SurveyDefinition } from "@canvass/questions";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { UPSERT_PAGES, withoutElements } from "./page-columns.ts";
import { QUESTION_NAMES, QUESTION_RECORD, QUESTION_VALUES } from "./question-columns.ts";
import { saveLists } from "./survey-lists.ts";

const WRITTEN = `page_id, sort_order, ${QUESTION_NAMES}, cells, bytes`;
const of = (table: string) => WRITTEN.replace(/\w+/g, (column) => `${table}.${column}`);

/** Does not touch unchanged elements. A changed or restored element gets a revision that it never had. */
const ELEMENTS = `INSERT INTO elements (workspace_id, survey_id, element_id, question_id, ${WRITTEN}, created_at, updated_at, revision)
SELECT $1, $2, r."elementId", r."questionId", r."pageId", r."sortOrder", ${QUESTION_VALUES}, r.cells, r.bytes, $3, $3, $5
FROM jsonb_to_recordset($4::jsonb) AS r ("pageId" text, "sortOrder" int4, ${QUESTION_RECORD}, cells int4, bytes int4)
ON CONFLICT (workspace_id, element_id) DO UPDATE SET (${WRITTEN}, revision, updated_at)
  = (${of("excluded")}, excluded.revision, excluded.updated_at)
WHERE (${of("elements")}) IS DISTINCT FROM (${of("excluded")})`;

const DELETE_ELEMENTS = `DELETE FROM elements WHERE workspace_id = $1 AND survey_id = $2 AND element_id <> ALL($3::text[])`;
const DELETE_PAGES = `DELETE FROM pages WHERE workspace_id = $1 AND survey_id = $2 AND page_id <> ALL($3::text[])`;

const atOnce = 50;

/** Replaces the draft. `revision` is the survey's new one, above every element's. Requires a locked survey. */
export async function replaceDraft(
  sql: Sql,
  { workspaceId, surveyId, revision }: SurveyRef & { revision: number },
  { pages, ...lists }: SurveyDefinition,
  now: Date,
): Promise<void> {
  const key = [workspaceId, surveyId];
  const placed = pages.map((page, at) => ({ ...withoutElements(page), sortOrder: at + 1 }));
  const elements = pages.flatMap(({ pageId, elements: list }) =>
    list.map((question, at) => ({ ...question, pageId, sortOrder: at + 1 })),
  );
  await sql.query(UPSERT_PAGES, [...key, JSON.stringify(placed)]);
  const rows = await mapInSlices(elements, ({ pageId, sortOrder, ...question }) =>
    JSON.stringify({ ...question, ...questionWeight(question), pageId, sortOrder }),
  );
  for (let from = 0; from < rows.length; from += atOnce) {
    await sql.query(ELEMENTS, [...key, now, `[${rows.slice(from, from + atOnce).join(",")}]`, revision]);
  }
  await sql.query(DELETE_ELEMENTS, [...key, elements.map(({ elementId }) => elementId)]);
  await sql.query(DELETE_PAGES, [...key, placed.map(({ pageId }) => pageId)]);
  await saveLists(sql, { workspaceId, surveyId }, lists);
}
