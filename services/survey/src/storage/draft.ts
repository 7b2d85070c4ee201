import type { Sql } from "@canvass/postgres";
import type { Condition, Page, Question, SurveyDefinition, Translations } from "@canvass/questions";
import type { WeighedPage } from "../domain/draft-weight.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { readLists } from "./survey-lists.ts";

const WEIGHED_PAGES = `SELECT p.page_id AS "pageId", p.title, p.loop, p.show_if AS "showIf", p.skip_logic AS "skipLogic", p.shuffle, p.block,
  count(e.element_id)::int4 AS "questionCount", coalesce(sum(e.cells), 0)::int4 AS cells,
  coalesce(sum(e.bytes), 0)::int4 AS bytes
FROM pages p LEFT JOIN elements e USING (workspace_id, survey_id, page_id)
WHERE p.workspace_id = $1 AND p.survey_id = $2
GROUP BY p.workspace_id, p.page_id
ORDER BY p.sort_order`;

/** Reads the pages in order, each with the number and weight of its questions, without its own weight. */
export async function findWeighedPages(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<WeighedPage[]> {
  return (await sql.query<StoredPage<WeighedPage>>(WEIGHED_PAGES, [workspaceId, surveyId])).map(toPage);
}

/** A page as stored: absent members are null or false. */
export type StoredPage<Row extends Partial<Page>> = Omit<Row, "showIf" | "shuffle" | "block" | "translations"> & {
  showIf: Condition | null;
  shuffle: boolean;
  block: string | null;
  translations?: Translations | null;
};

/** A definition leaves out absent members of a page. */
export const toPage = <Row extends Partial<Page>>({
  showIf,
  shuffle,
  block,
  translations,
  ...page
}: StoredPage<Row>): Row =>
  ({
    ...page,
    ...(showIf && { showIf }),
    ...(shuffle && { shuffle }),
    ...(block !== null && { block }),
    ...(translations && { translations }),
  }) as unknown as Row;

const DRAFT_PAGES = `SELECT page_id AS "pageId", title, loop, show_if AS "showIf", skip_logic AS "skipLogic", shuffle, block, translations
FROM pages WHERE workspace_id = $1 AND survey_id = $2 ORDER BY sort_order`;

export const QUESTION_COLUMNS = `element_id AS "elementId", question_id AS "questionId", name, type, question_text AS text,
  help_text AS "helpText", type_settings AS "typeSettings", response_validation AS "responseValidation", choices, rows,
  columns, logic, translations`;

/** An expression for element `e` as a question of a definition. */
export const QUESTION_JSON = `jsonb_build_object('elementId', e.element_id, 'questionId', e.question_id, 'type', e.type,
  'text', e.question_text, 'helpText', e.help_text, 'typeSettings', e.type_settings,
  'responseValidation', e.response_validation)
  || CASE WHEN e.name IS NULL THEN '{}' ELSE jsonb_build_object('name', e.name) END
  || CASE WHEN e.choices IS NULL THEN '{}' ELSE jsonb_build_object('choices', e.choices) END
  || CASE WHEN e.rows IS NULL THEN '{}' ELSE jsonb_build_object('rows', e.rows) END
  || CASE WHEN e.columns IS NULL THEN '{}' ELSE jsonb_build_object('columns', e.columns) END
  || CASE WHEN e.logic IS NULL THEN '{}' ELSE jsonb_build_object('logic', e.logic) END
  || CASE WHEN e.translations IS NULL THEN '{}' ELSE jsonb_build_object('translations', e.translations) END`;

/** Reads a batch after a position in the order of the index, so that a long draft does not block the event loop. */
const QUESTIONS = `SELECT page_id AS "pageId", sort_order AS "sortOrder", ${QUESTION_COLUMNS}
FROM elements WHERE workspace_id = $1 AND survey_id = $2 AND (page_id, sort_order) > ($3, $4)
ORDER BY page_id, sort_order LIMIT $5`;

const atOnce = 50;

/** A question as stored: null for members that it or its type does not have. */
export interface StoredQuestion extends Omit<
  Question,
  "name" | "choices" | "rows" | "columns" | "logic" | "translations"
> {
  name: string | null;
  choices: Question["choices"] | null;
  rows: Question["rows"] | null;
  columns: Question["columns"] | null;
  logic: Question["logic"] | null;
  translations: Translations | null;
}

interface QuestionRow extends StoredQuestion {
  pageId: string;
  sortOrder: number;
}

/** Reads the pages of a draft in order, without their elements. */
export async function findPages(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<Omit<Page, "elements">[]> {
  return (await sql.query<StoredPage<Omit<Page, "elements">>>(DRAFT_PAGES, [workspaceId, surveyId])).map(toPage);
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

export function toQuestion({ name, choices, rows, columns, logic, translations, ...rest }: StoredQuestion): Question {
  return {
    ...rest,
    ...(translations && { translations }),
    ...(name !== null && { name }),
    ...(choices && { choices }),
    ...(rows && { rows }),
    ...(columns && { columns }),
    ...(logic && { logic }),
  };
}
