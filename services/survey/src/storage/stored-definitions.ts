import { runInSlices } from "@canvass/fairness";
import type { Sql } from "@canvass/postgres";
import type { Page, Question, SurveyDefinition, SurveyLists } from "@canvass/questions";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { keptQuestionSql } from "./kept-definitions.ts";

export type DefinitionSource = { kind: "version" | "backup"; id: string };

export const definitionTables = { version: "versions", backup: "backups" } as const;

/** Selects a row per question, so that a long definition is parsed in steps; a page comes with its first row. */
const rowsOf = (kind: DefinitionSource["kind"]) => `SELECT p.position::int4 - 1 AS at,
  CASE WHEN coalesce(e.position, 1) = 1 THEN (p.value - 'elements')::text END AS page, ${keptQuestionSql("d", "e.digest")}::text AS question
FROM ${definitionTables[kind]} d
CROSS JOIN LATERAL jsonb_array_elements(d.layout -> 'pages') WITH ORDINALITY AS p (value, position)
LEFT JOIN LATERAL jsonb_array_elements_text(p.value -> 'elements') WITH ORDINALITY AS e (digest, position) ON true
WHERE d.workspace_id = $1 AND d.survey_id = $2 AND d.${kind}_id = $3
ORDER BY p.position, e.position`;

const listsIn = (kind: DefinitionSource["kind"]) => `SELECT layout - 'pages' AS lists FROM ${definitionTables[kind]}
WHERE workspace_id = $1 AND survey_id = $2 AND ${kind}_id = $3`;

interface Row {
  at: number;
  page: string | null;
  question: string | null;
}

/** Reads a definition without blocking the event loop. Returns no pages if it does not exist. */
export async function readStoredDefinition(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  { kind, id }: DefinitionSource,
): Promise<SurveyDefinition> {
  const key = [workspaceId, surveyId, id];
  const [found] = await sql.query<{ lists: SurveyLists }>(listsIn(kind), key);
  return { ...(await runInSlices(parsing(await sql.query<Row>(rowsOf(kind), key)))), ...found?.lists };
}

function* parsing(rows: readonly Row[]): Generator<void, SurveyDefinition> {
  const pages: Page[] = [];
  for (const { at, page, question } of rows) {
    if (page !== null) pages.push({ ...(JSON.parse(page) as Omit<Page, "elements">), elements: [] });
    if (question !== null) pages[at]!.elements.push(JSON.parse(question) as Question);
    yield;
  }
  return { pages };
}
