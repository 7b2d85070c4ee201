import type { Sql } from "@canvass/postgres";
import type { SurveyRef } from "../domain/survey-ref.ts";

/** A digest of a question's content (a jsonb), equal only for equal content. */
const digestOf = (question: string) => `encode(substr(sha256(convert_to(${question}::text, 'UTF8')), 1, 16), 'hex')`;

/**
 * A subquery, because with statistics of an empty table a join took a minute for a thousand questions. For the same
 * reason `IS TRUE` and `NOT IN` below make PostgreSQL hash instead of joining.
 */
const kept = (value: string, key: string) =>
  `(SELECT ${value} FROM kept_questions k WHERE (k.workspace_id, k.survey_id, k.digest) = (${key}))`;

interface Keeping {
  /** An expression for the definition as jsonb. */
  definition: string;
  published: boolean;
  /** Inserts the layout, the one row of `layout`, into versions or backups. */
  insert: string;
}

/**
 * A statement that stores a definition of survey $2 of workspace $1 as a layout: the same with digests instead of
 * questions.
 */
export const keepDefinitionSql = ({ definition, published, insert }: Keeping) => `WITH given AS MATERIALIZED (
  SELECT (${definition}) AS definition
), given_pages AS MATERIALIZED (
  SELECT p.at, p.page FROM given, jsonb_array_elements(given.definition -> 'pages') WITH ORDINALITY AS p (page, at)
), digested AS MATERIALIZED (
  SELECT p.at AS page_at, q.at, q.question, ${digestOf("q.question")} AS digest
  FROM given_pages p, jsonb_array_elements(p.page -> 'elements') WITH ORDINALITY AS q (question, at)
), questions AS MATERIALIZED (
  SELECT d.*, ${kept("k.published", "$1, $2, d.digest")} AS published FROM digested d
), added AS (
  INSERT INTO kept_questions (workspace_id, survey_id, digest, element_id, question, bytes, published)
  SELECT DISTINCT ON (q.digest) $1, $2, q.digest, q.question ->> 'elementId', q.question, octet_length(q.question::text),
    ${published}
  FROM questions q WHERE q.published IS NULL
  RETURNING bytes
), marked AS (
  UPDATE kept_questions k SET published = true
  WHERE ${published} AND k.workspace_id = $1 AND k.survey_id = $2 AND NOT k.published
    AND (k.digest IN (SELECT q.digest FROM questions q)) IS TRUE
), digests AS (
  SELECT q.page_at, jsonb_agg(q.digest ORDER BY q.at) AS elements FROM questions q GROUP BY q.page_at
), layout AS (
  SELECT (SELECT g.definition - 'pages' FROM given g) || jsonb_build_object('pages', coalesce(jsonb_agg(
    p.page || jsonb_build_object('elements', coalesce(d.elements, '[]')) ORDER BY p.at), '[]')) AS layout
  FROM given_pages p LEFT JOIN digests d ON d.page_at = p.at
), inserted AS (
  ${insert} RETURNING octet_length(layout::text) AS bytes
)
${changeKeptBytesSql("+ coalesce((SELECT sum(bytes) FROM added), 0) + coalesce((SELECT sum(bytes) FROM inserted), 0)")}`;

/**
 * A statement that changes the size of a survey's versions and backups (kept questions and layouts as text). `change`
 * is an expression after its sign, such as `+ 5`.
 */
export const changeKeptBytesSql = (change: string) =>
  `UPDATE surveys SET kept_bytes = kept_bytes ${change} WHERE workspace_id = $1 AND survey_id = $2`;

/** A subquery for a column of the kept question that a digest in a row of versions or backups refers to. */
export const keptQuestionSql = (row: string, digest: string, column: "question" | "element_id" = "question") =>
  kept(`k.${column}`, `${row}.workspace_id, ${row}.survey_id, ${digest}`);

/**
 * An expression for a question, page or quota with its translations into one language only. `value` (a jsonb) and
 * `language` are expressions, too. A null or empty language leaves no translations.
 */
const inLanguage = (
  value: string,
  language: string,
) => `CASE WHEN ${value} ? 'translations' THEN (${value} - 'translations')
    || CASE WHEN ${value} -> 'translations' ? ${language} THEN jsonb_build_object('translations',
      jsonb_build_object(${language}, ${value} -> 'translations' -> ${language})) ELSE '{}' END
  ELSE ${value} END`;

/**
 * An expression for the definition in a row of versions or backups, with translations into at most one language. It is
 * json, because jsonb copies a question at every level, which takes four times as long.
 */
export const definitionSql = (row: string, language = "''") => `(
  SELECT json_object_agg(l.key, CASE l.key WHEN 'pages' THEN (
    SELECT coalesce(json_agg((
      SELECT json_object_agg(m.key, CASE m.key WHEN 'elements' THEN (
        SELECT coalesce(json_agg(${kept(inLanguage("k.question", language), `${row}.workspace_id, ${row}.survey_id, q.digest`)} ORDER BY q.at), '[]')
        FROM jsonb_array_elements_text(m.value) WITH ORDINALITY AS q (digest, at)
      ) ELSE m.value::json END)
      FROM jsonb_each(${inLanguage("p.page", language)}) AS m
    ) ORDER BY p.at), '[]')
    FROM jsonb_array_elements(l.value) WITH ORDINALITY AS p (page, at)
  ) WHEN 'quotas' THEN (
    SELECT coalesce(json_agg(${inLanguage("q.quota", language)} ORDER BY q.at), '[]')
    FROM jsonb_array_elements(l.value) WITH ORDINALITY AS q (quota, at)
  ) ELSE l.value::json END)
  FROM jsonb_each(${row}.layout) AS l
)`;

/** An expression for the digests of the questions of a row of versions or backups. */
export const digestsSql = (row: string) => `jsonb_path_query(${row}.layout, '$.pages[*].elements[*]') #>> '{}'`;

const CARRYING = `SELECT DISTINCT question ->> 'questionId' AS "questionId" FROM kept_questions
WHERE workspace_id = $1 AND survey_id = $2 AND published AND question -> 'logic' ? 'choicesFrom'`;

/** Returns the ids of the questions that carried choices of others in a published version: their answers name those. */
export async function findCarryingQuestionIds(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<string[]> {
  const rows = await sql.query<{ questionId: string }>(CARRYING, [workspaceId, surveyId]);
  return rows.map(({ questionId }) => questionId);
}

const DELETE_UNUSED = `WITH unused AS (
  DELETE FROM kept_questions WHERE workspace_id = $1 AND survey_id = $2 AND NOT published
    AND digest NOT IN (SELECT ${digestsSql("b")} FROM backups b WHERE b.workspace_id = $1 AND b.survey_id = $2)
  RETURNING bytes
)
${changeKeptBytesSql("- coalesce((SELECT sum(bytes) FROM unused), 0)")}`;

/** Deletes questions that only deleted backups held: versions stay. The transaction must have locked the survey. */
export async function deleteUnusedQuestions(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<void> {
  await sql.query(DELETE_UNUSED, [workspaceId, surveyId]);
}
