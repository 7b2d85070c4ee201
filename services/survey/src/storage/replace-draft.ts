import { mapInSlices } from "@canvass/fairness";
import type { Sql } from "@canvass/postgres";
import { questionWeight, type SurveyDefinition } from "@canvass/questions";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { saveLists } from "./survey-lists.ts";

const PAGES = `INSERT INTO pages (workspace_id, survey_id, page_id, title, loop, show_if, skip_logic, shuffle, block, translations, sort_order)
SELECT $1, $2, p."pageId", p.title, p.loop, p."showIf", p."skipLogic", p.shuffle, p.block, p.translations, p."sortOrder"
FROM jsonb_to_recordset($3::jsonb) AS p ("pageId" text, title text, loop jsonb, "showIf" jsonb, "skipLogic" jsonb, shuffle boolean,
  block text, translations jsonb, "sortOrder" int4)
ON CONFLICT (workspace_id, page_id) DO UPDATE SET title = excluded.title, loop = excluded.loop, show_if = excluded.show_if,
  skip_logic = excluded.skip_logic, shuffle = excluded.shuffle, block = excluded.block, translations = excluded.translations,
  sort_order = excluded.sort_order`;

const columns = [
  "page_id",
  "sort_order",
  "name",
  "type",
  "question_text",
  "help_text",
  "type_settings",
  "response_validation",
  "choices",
  "rows",
  "columns",
  "logic",
  "translations",
] as const;
const of = (table: string) => columns.map((column) => `${table}.${column}`).join(", ");

/** Does not touch unchanged elements. A changed or restored element gets a revision that it never had. */
const ELEMENTS = `INSERT INTO elements (workspace_id, survey_id, element_id, question_id, ${columns.join(", ")}, cells, bytes,
  created_at, updated_at, revision)
SELECT $1, $2, q."elementId", q."questionId", q."pageId", q."sortOrder", q.name, q.type, q.text, q."helpText", q."typeSettings",
  q."responseValidation", q.choices, q.rows, q.columns, q.logic, q.translations, q.cells, q.bytes, $3, $3, $5
FROM jsonb_to_recordset($4::jsonb) AS q ("elementId" text, "questionId" text, "pageId" text, "sortOrder" int4, name text, type int2,
  text text, "helpText" text, "typeSettings" jsonb, "responseValidation" jsonb, choices jsonb, rows jsonb, columns jsonb,
  logic jsonb, translations jsonb, cells int4, bytes int4)
ON CONFLICT (workspace_id, element_id) DO UPDATE SET (${columns.join(", ")}, cells, bytes, revision, updated_at)
  = (${of("excluded")}, excluded.cells, excluded.bytes, excluded.revision, excluded.updated_at)
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
  const placed = pages.map(({ pageId, title, loop, showIf, skipLogic, shuffle = false, block, translations }, at) => {
    const sortOrder = at + 1;
    return { pageId, title, loop, showIf, skipLogic, shuffle, block, translations, sortOrder };
  });
  const elements = pages.flatMap(({ pageId, elements: list }) =>
    list.map((question, at) => ({ ...question, pageId, sortOrder: at + 1 })),
  );
  await sql.query(PAGES, [...key, JSON.stringify(placed)]);
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
