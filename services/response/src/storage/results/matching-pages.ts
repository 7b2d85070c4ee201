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

/** Limits of a page. A heavier respondent has its own page. */
const page = { rows: 2_000, bytes: 8 * 1024 * 1024 };

/** Tests are left out, as in counters. */
const chosen = `r.workspace_id = $1 AND r.survey_id = $2 AND NOT r.is_test
    AND ($3::bool IS NULL OR (r.completed_at IS NOT NULL) = $3)
    AND r.started_at >= $4::timestamptz AND r.started_at < $5::timestamptz
    AND ($6::text IS NULL OR r.distributor_id = $6) AND ($7::int IS NULL OR r.version_number = $7)
    AND NOT EXISTS (SELECT FROM json_each_text($8::json) AS f WHERE r.fields ->> f.key IS DISTINCT FROM f.value)`;

const VERSIONS = `SELECT DISTINCT version_id AS "versionId" FROM respondents r WHERE ${chosen}`;

const pageOf = (set: readonly string[], hasAsked: string) => `WITH near AS (
    SELECT r.*, ${weightOf("r")} AS weight FROM respondents r WHERE ${chosen} AND r.respondent_id > $9
    ORDER BY r.respondent_id LIMIT ${page.rows}),
  page AS (SELECT * FROM (SELECT *, sum(weight) OVER (ORDER BY respondent_id) - weight AS before FROM near) AS weighed
    WHERE before < ${page.bytes})
  SELECT respondent_id AS "respondentId", rtrim(json_build_array(respondent_id, version_id, version_number, is_anonymous,
      floor(extract(epoch FROM started_at) * 1000)::int8, floor(extract(epoch FROM completed_at) * 1000)::int8,
      language, distributor_id, fields)::text, ']') || ',[' || coalesce(given.sets, '') || ']]' AS line
  FROM page r CROSS JOIN LATERAL (
    SELECT string_agg(json_build_array(${set.join(", ")})::text, ',') AS sets FROM answer_sets s
    WHERE (s.workspace_id, s.respondent_id) = (r.workspace_id, r.respondent_id) ${hasAsked}) AS given
  ORDER BY respondent_id`;

const WHOLE = pageOf(["s.off_path", "s.answers"], "");

/** Reads only those answers of a set, since the others are most of its bytes. Written from their number alone. */
function namedPage(count: number): string {
  const answers = Array.from({ length: count }, (_, index) => `s.answers -> ($10::text[])[${index + 1}]`);
  return pageOf(["s.off_path", ...answers], "AND s.answers ?| $10::text[]");
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
  const params = [...parametersOf(walk), after, ...(keys ? [keys] : [])];
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
