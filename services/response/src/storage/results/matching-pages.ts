import type { Sql } from "@canvass/postgres";
import type { ResultFilter } from "../../domain/results/result-filter.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import { weightOf } from "../answers/current-answers.ts";

export interface MatchingWalk extends SurveyRef {
  filter: Omit<ResultFilter, "where">;
  /** Answer keys of the answers to read. Null: all. */
  keys: readonly string[] | null;
}

/** A respondent and its sets of answers. Times are in milliseconds. */
export type MatchingRow = readonly [
  respondentId: string,
  versionId: string,
  versionNumber: number,
  isAnonymous: boolean,
  startedAt: number,
  completedAt: number | null,
  language: string,
  distributorId: string,
  fields: Record<string, string | number>,
  sets: readonly MatchingSet[],
];

/** Keys off the path, then the answers by key, or one for each of the walk's keys (null: none). */
export type MatchingSet = readonly [offPath: readonly string[] | null, ...answers: unknown[]];

/** Limits of a page: respondents, and the weight of their answers (answer-weight.ts). A heavier one has its own page. */
const page = { rows: 1_000, weight: 32 * 1024 * 1024 };

/** Tests are left out, as in counters. */
const chosen = `r.workspace_id = $1 AND r.survey_id = $2 AND NOT r.is_test
    AND ($3::bool IS NULL OR (r.completed_at IS NOT NULL) = $3)
    AND r.started_at >= $4::timestamptz AND r.started_at < $5::timestamptz
    AND ($6::text IS NULL OR r.distributor_id = $6) AND ($7::int IS NULL OR r.version_number = $7)
    AND NOT EXISTS (SELECT FROM json_each_text($8::json) AS f WHERE r.fields ->> f.key IS DISTINCT FROM f.value)`;

/** As a double, which holds them exactly and is faster than a numeric. */
const millisecondsOf = (time: string) => `(date_part('epoch', ${time}) * 1000)::int8`;

const VERSIONS = `SELECT DISTINCT version_id AS "versionId" FROM respondents r WHERE ${chosen}`;

const pageOf = (set: readonly string[], hasAsked: string) => `WITH near AS (
    SELECT workspace_id, respondent_id, version_id, version_number, is_anonymous, started_at, completed_at, language,
      distributor_id, fields, ${weightOf("r")} AS weight
    FROM respondents r WHERE ${chosen} AND r.respondent_id > $9 ORDER BY r.respondent_id LIMIT ${page.rows}),
  page AS (SELECT * FROM (
      SELECT *, sum(weight) OVER (ORDER BY respondent_id ROWS UNBOUNDED PRECEDING) - weight AS before FROM near) AS weighed
    WHERE before < ${page.weight})
  SELECT respondent_id AS "respondentId", rtrim(json_build_array(respondent_id, version_id, version_number, is_anonymous,
      ${millisecondsOf("started_at")}, ${millisecondsOf("completed_at")}, language, distributor_id, fields)::text, ']')
      || ',[' || coalesce(given.sets, '') || ']]' AS line
  FROM page r CROSS JOIN LATERAL (
    SELECT string_agg(json_build_array(${set.join(", ")})::text, ',') AS sets FROM answer_sets s
    WHERE (s.workspace_id, s.respondent_id) = (r.workspace_id, r.respondent_id) ${hasAsked}) AS given
  ORDER BY respondent_id`;

const WHOLE = pageOf(["s.off_path", "s.answers"], "");

/** Reads only those answers of a set, since the others are most of its bytes. Written from their number alone. */
function namedPage(count: number): string {
  const keys = Array.from({ length: count }, (_, index) => `$${index + 10}::text`);
  const hasAsked = keys.map((key) => `s.answers ? ${key}`).join(" OR ") || "FALSE";
  return pageOf(["s.off_path", ...keys.map((key) => `s.answers -> ${key}`)], `AND (${hasAsked})`);
}

export async function findMatchingVersions(sql: Sql, walk: MatchingWalk): Promise<string[]> {
  const rows = await sql.query<{ versionId: string }>(VERSIONS, parametersOf(walk));
  return rows.map(({ versionId }) => versionId);
}

/** Returns the next respondents after an id as JSON, each a MatchingRow. Empty at the end. */
export function findMatchingPage(
  sql: Sql,
  walk: MatchingWalk,
  after: string,
): Promise<{ respondentId: string; line: string }[]> {
  const { keys } = walk;
  const params = [...parametersOf(walk), after, ...(keys ?? [])];
  return sql.query(keys ? namedPage(keys.length) : WHOLE, params);
}

function parametersOf({ workspaceId, surveyId, filter }: MatchingWalk): unknown[] {
  const { isCompleted, from, to, distributorId, versionNumber, fields = {} } = filter;
  return [
    workspaceId,
    surveyId,
    isCompleted ?? null,
    from?.toISOString() ?? "-infinity",
    to?.toISOString() ?? "infinity",
    distributorId ?? null,
    versionNumber ?? null,
    JSON.stringify(fields),
  ];
}
