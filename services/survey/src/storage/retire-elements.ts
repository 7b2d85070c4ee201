import type { Sql } from "@canvass/postgres";
import type { Question } from "@canvass/questions";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { QUESTION_JSON } from "./question-columns.ts";
import { digestsSql, keptQuestionSql } from "./kept-definitions.ts";
import { definitionTables, type DefinitionSource } from "./stored-definitions.ts";

/** The elements that stay in the draft or come back: those of a stored definition, or the given ones. */
export type Staying = DefinitionSource | { kind: "named"; ids: readonly string[] };

/** An array, so that PostgreSQL computes it once per statement. */
const elementIds = (kind: Staying["kind"]) =>
  kind === "named"
    ? "$3::text[]"
    : `ARRAY(SELECT ${keptQuestionSql("d", "d.digest", "element_id")} FROM (
    SELECT d.workspace_id, d.survey_id, ${digestsSql("d")} AS digest FROM ${definitionTables[kind]} d
    WHERE d.workspace_id = $1 AND d.survey_id = $2 AND d.${kind}_id = $3
  ) d)`;

const leaving = (kind: Staying["kind"]) =>
  `e.workspace_id = $1 AND e.survey_id = $2 AND e.element_id <> ALL(${elementIds(kind)})`;

/**
 * Returns the ids of the draft's questions, and of retired ones that `source` brings back; none before the first
 * publication, because there are no answers yet.
 */
export async function findFormerQuestionIds(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  { kind, id }: DefinitionSource,
): Promise<string[]> {
  const statement = `SELECT f.question_id AS "questionId" FROM (
  SELECT question_id FROM elements WHERE workspace_id = $1 AND survey_id = $2
  UNION
  SELECT question_id FROM retired_elements WHERE workspace_id = $1 AND survey_id = $2 AND element_id = ANY(${elementIds(kind)})
) f JOIN surveys s ON s.workspace_id = $1 AND s.survey_id = $2 AND s.published_version > 0`;
  const rows = await sql.query<{ questionId: string }>(statement, [workspaceId, surveyId, id]);
  return rows.map(({ questionId }) => questionId);
}

const INSERT_DROPPED = `INSERT INTO retired_elements (workspace_id, survey_id, element_id, question_id, retired_at, question, bytes)
SELECT $1, $2, q ->> 'elementId', q ->> 'questionId', $4::timestamptz, q, octet_length(q::text) FROM unnest($3::jsonb[]) AS q
ON CONFLICT (workspace_id, element_id) DO NOTHING`;

/** Retires dropped questions that are not retired yet: they had no answers when the draft dropped them. */
export async function retireDroppedQuestions(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  questions: readonly Question[],
  retiredAt: Date,
): Promise<void> {
  if (questions.length === 0) return;
  await sql.query(INSERT_DROPPED, [workspaceId, surveyId, questions.map((each) => JSON.stringify(each)), retiredAt]);
}

/**
 * Retires the answered questions of the draft that do not stay, and takes back retired ones that do. Returns those it
 * retired. `answered` has question ids.
 */
export async function retireLeavingQuestions(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  staying: Staying,
  answered: readonly string[],
  retiredAt: Date,
): Promise<Question[]> {
  const { kind } = staying;
  const key = [workspaceId, surveyId, kind === "named" ? staying.ids : staying.id];
  const back = `DELETE FROM retired_elements WHERE workspace_id = $1 AND survey_id = $2 AND element_id = ANY(${elementIds(kind)})`;
  await sql.query(back, key);
  if (answered.length === 0) return [];
  const retire = `INSERT INTO retired_elements (workspace_id, survey_id, element_id, question_id, retired_at, question, bytes)
SELECT e.workspace_id, e.survey_id, e.element_id, e.question_id, $5::timestamptz, ${QUESTION_JSON}, e.bytes + coalesce(e.translations_bytes, 0)
FROM elements e WHERE ${leaving(kind)} AND e.question_id = ANY($4::text[])
RETURNING question`;
  const rows = await sql.query<{ question: Question }>(retire, [...key, answered, retiredAt]);
  return rows.map(({ question }) => question);
}

const FIND_RETIRED = `SELECT question FROM retired_elements
WHERE workspace_id = $1 AND survey_id = $2 AND element_id = ANY($3::text[])`;

export async function findRetiredQuestions(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  elementIds: readonly string[],
): Promise<Question[]> {
  if (elementIds.length === 0) return [];
  const rows = await sql.query<{ question: Question }>(FIND_RETIRED, [workspaceId, surveyId, elementIds]);
  return rows.map(({ question }) => question);
}

export async function findDraftQuestionIds(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<string[]> {
  const statement = `SELECT question_id AS "questionId" FROM elements WHERE workspace_id = $1 AND survey_id = $2`;
  const rows = await sql.query<{ questionId: string }>(statement, [workspaceId, surveyId]);
  return rows.map(({ questionId }) => questionId);
}
