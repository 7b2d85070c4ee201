import type { Sql } from "@canvass/postgres";
import { questionWeight, type Question } from "@canvass/questions";
import type { Placed, Placement } from "../domain/place-questions.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { QUESTION_NAMES, QUESTION_RECORD, QUESTION_VALUES } from "./question-columns.ts";

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

const INSERT_QUESTIONS = `INSERT INTO elements (workspace_id, survey_id, page_id, sort_order, element_id, question_id,
  ${QUESTION_NAMES}, cells, bytes, created_at, updated_at)
SELECT $1, $2, r."pageId", r."sortOrder", r."elementId", r."questionId", ${QUESTION_VALUES}, r.cells, r.bytes, $3, $3
FROM jsonb_to_recordset($4::jsonb) AS r ("pageId" text, "sortOrder" int4, ${QUESTION_RECORD}, cells int4, bytes int4)`;

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
