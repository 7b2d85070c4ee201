import type { Sql } from "@canvass/postgres";
import type { Page, Question, SurveyDefinition } from "@canvass/questions";
import type { WeighedPage } from "../domain/draft-weight.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import type { Stored } from "./content-columns.ts";
import { PAGE_COLUMNS, toPage, UNTRANSLATED_PAGE_COLUMNS } from "./page-columns.ts";
import { QUESTION_COLUMNS, toQuestion, type StoredQuestion } from "./question-columns.ts";
import { readLists } from "./survey-lists.ts";

const WEIGHED_PAGES = `SELECT ${UNTRANSLATED_PAGE_COLUMNS},
  count(e.element_id)::int4 AS "questionCount", coalesce(sum(e.cells), 0)::int4 AS cells,
  coalesce(sum(e.bytes), 0)::int4 AS bytes
FROM pages p LEFT JOIN elements e USING (workspace_id, survey_id, page_id)
WHERE p.workspace_id = $1 AND p.survey_id = $2
GROUP BY p.workspace_id, p.page_id
ORDER BY p.sort_order`;

/** Reads the pages in order, each with the number and weight of its questions, without its own weight. */
export async function findWeighedPages(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<WeighedPage[]> {
  return (await sql.query<Stored<WeighedPage>>(WEIGHED_PAGES, [workspaceId, surveyId])).map(toPage);
}

const DRAFT_PAGES = `SELECT ${PAGE_COLUMNS}
FROM pages p WHERE workspace_id = $1 AND survey_id = $2 ORDER BY sort_order`;

/** Reads a batch after a position in the order of the index, so that a long draft does not block the event loop. */
const QUESTIONS = `SELECT page_id AS "pageId", sort_order AS "sortOrder", ${QUESTION_COLUMNS}
FROM elements e WHERE workspace_id = $1 AND survey_id = $2 AND (page_id, sort_order) > ($3, $4)
ORDER BY page_id, sort_order LIMIT $5`;

const atOnce = 50;

type QuestionRow = StoredQuestion & { pageId: string; sortOrder: number };

/** Reads the pages of a draft in order, without their elements. */
export async function findPages(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<Omit<Page, "elements">[]> {
  return (await sql.query<Stored<Omit<Page, "elements">>>(DRAFT_PAGES, [workspaceId, surveyId])).map(toPage);
}

/** Reads the whole draft, with empty pages. Needs a locked survey, or a transaction that reads one snapshot. */
export async function readDraft(sql: Sql, ref: SurveyRef): Promise<SurveyDefinition> {
  const pages = await findPages(sql, ref);
  const elements = new Map<string, Question[]>(pages.map(({ pageId }) => [pageId, []]));
  for await (const { pageId, sortOrder: _, ...row } of questionRows(sql, ref))
    elements.get(pageId)!.push(toQuestion(row));
  const lists = await readLists(sql, ref);
  return { pages: pages.map((page) => ({ ...page, elements: elements.get(page.pageId)! })), ...lists };
}

async function* questionRows(sql: Sql, { workspaceId, surveyId }: SurveyRef): AsyncGenerator<QuestionRow> {
  let last = { pageId: "", sortOrder: 0 };
  for (;;) {
    const position = [last.pageId, last.sortOrder];
    const rows = await sql.query<QuestionRow>(QUESTIONS, [workspaceId, surveyId, ...position, atOnce]);
    yield* rows;
    if (rows.length < atOnce) return;
    last = rows.at(-1)!;
  }
}
