import type { Sql } from "@canvass/postgres";
import { questionWeight, type Question } from "@canvass/questions";
import type { Placed, Placement } from "../domain/place-questions.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";

export interface NewPages extends SurveyRef {
  pages: readonly { pageId: string; title: string | null }[];
  /** Number of pages that the draft already has. */
  after: number;
}

const INSERT_PAGES = `INSERT INTO pages (workspace_id, survey_id, page_id, title, sort_order, skip_logic)
SELECT $1, $2, p.page_id, p.title, $3::int4 + p.position, '[]'
FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS p (page_id, title, position)`;

export async function insertPages(sql: Sql, { workspaceId, surveyId, pages, after }: NewPages): Promise<void> {
  if (pages.length === 0) return;
  const [ids, titles] = [pages.map(({ pageId }) => pageId), pages.map(({ title }) => title)];
  await sql.query(INSERT_PAGES, [workspaceId, surveyId, after, ids, titles]);
}

export async function titlePage(sql: Sql, { workspaceId }: SurveyRef, titled: Placed["titled"]): Promise<void> {
  if (!titled) return;
  const { pageId, title } = titled;
  await sql.query("UPDATE pages SET title = $3 WHERE workspace_id = $1 AND page_id = $2", [workspaceId, pageId, title]);
}

const INSERT_QUESTIONS = `INSERT INTO elements (workspace_id, survey_id, page_id, sort_order, element_id, question_id, name, type,
  question_text, help_text, type_settings, response_validation, choices, rows, columns, logic, cells, bytes, created_at,
  updated_at)
SELECT $1, $2, q."pageId", q."sortOrder", q."elementId", q."questionId", q.name, q.type, q.text, q."helpText",
  q."typeSettings", q."responseValidation", q.choices, q.rows, q.columns, q.logic, q.cells, q.bytes, $3, $3
FROM jsonb_to_recordset($4::jsonb) AS q ("pageId" text, "sortOrder" int4, "elementId" text, "questionId" text,
  name text, type int2, text text, "helpText" text, "typeSettings" jsonb, "responseValidation" jsonb, choices jsonb, rows jsonb,
  columns jsonb, logic jsonb, cells int4, bytes int4)`;

/** Questions per statement: serializing more at once would block the event loop. */
const atOnce = 50;

/** Stores questions at their positions. Their pages must exist. */
export async function insertQuestions(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  questions: readonly Question[],
  placements: readonly Placement[],
  now: Date,
): Promise<void> {
  for (let from = 0; from < questions.length; from += atOnce) {
    const rows = questions.slice(from, from + atOnce).map((question, index) => ({
      ...question,
      ...questionWeight(question),
      ...placements[from + index]!,
    }));
    await sql.query(INSERT_QUESTIONS, [workspaceId, surveyId, now, JSON.stringify(rows)]);
  }
}
