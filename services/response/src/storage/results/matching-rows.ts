import type { Sql } from "@canvass/postgres";
import type { ResultFilter } from "../../domain/results/result-filter.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import { answerWeightSql } from "../answers/current-answers.ts";
import { fieldFilterJson, matchesFieldsSql } from "../field-filter.ts";
import { anyStart, startBound, startsBetweenSql } from "../start-bounds.ts";

export interface MatchingWalk extends SurveyRef {
  filter: Omit<ResultFilter, "where">;
  /** Of the workspace. */
  timeZone: string;
}

/** What is read of respondents, beside their version. */
export interface RowColumns {
  /**
   * Keys of the answers to read: respondents that are alike in all columns share a row. Null: each respondent has a row
   * of its own, with all its answers.
   */
  keys: readonly string[] | null;
  /** Names of hidden fields. */
  fields: readonly string[];
  language: boolean;
  distributorId: boolean;
  /** Reads the start's quarter of an hour, of which days in every time zone consist. A row of one has exact times. */
  startedAt: boolean;
}

/** Columns that are not read are absent or empty. */
export interface MatchingRow {
  versionNumber: number;
  isAnonymous: boolean;
  /** In milliseconds. */
  startedAt: number;
  completedAt?: number | null;
  language?: string;
  distributorId?: string;
  /** Values of the fields, as a JSON list (null: none). */
  fields?: string;
  /** By the keys a JSON list with an answer for each (null: none). Else sets of answers by key: `{…},{…}`. */
  answers: string;
  /** Respondents that are alike; absent for one. */
  count?: number;
}

export interface MatchingVersions {
  /** Ids by number. */
  versionIds: Map<number, string>;
  /** The largest weight of one respondent's answers (respondent-state.ts). */
  heaviest: number;
}

/** Tests are left out, as in counters. */
const chosen = `r.workspace_id = $1 AND r.survey_id = $2 AND NOT r.is_test
    AND ($3::bool IS NULL OR (r.completed_at IS NOT NULL) = $3)
    AND ${startsBetweenSql("$4", "$5")}
    AND ($6::text IS NULL OR r.distributor_id = $6) AND ($7::int IS NULL OR r.version_number = $7)
    AND ($8::jsonb IS NULL OR ${matchesFieldsSql("$8")})`;

const VERSIONS = `SELECT version_number AS "versionNumber", version_id AS "versionId", max(${answerWeightSql("r")}) AS heaviest
  FROM respondents r WHERE ${chosen} GROUP BY version_number, version_id`;

export async function findMatchingVersions(sql: Sql, walk: MatchingWalk): Promise<MatchingVersions> {
  const rows = await sql.query<{ versionNumber: number; versionId: string; heaviest: number }>(
    VERSIONS,
    parametersOf(walk),
  );
  return {
    versionIds: new Map(rows.map(({ versionNumber, versionId }) => [versionNumber, versionId])),
    heaviest: Math.max(0, ...rows.map(({ heaviest }) => heaviest)),
  };
}

/** As a double, which holds them exactly. */
const millisecondsOf = (time: string) => `(date_part('epoch', ${time}) * 1000)::int8::float8`;

const withSets = "LEFT JOIN answer_sets s ON (s.workspace_id, s.respondent_id) = (r.workspace_id, r.respondent_id)";

/** Always true. PostgreSQL refuses parameters whose type it cannot infer, as of those that are not used. */
const areGiven = (...given: string[]) => `(${given.join(", ")}) IS NOT NULL`;

const fieldOf = (_: string, at: number) => `r.fields -> ($10::text[])[${at + 1}]`;

/** SQL: a row for each respondent. Each column takes time, so only those that are asked for are read. */
function alone({ fields, language, distributorId }: RowColumns): string {
  return `SELECT r.version_number AS "versionNumber", r.is_anonymous AS "isAnonymous",
    ${millisecondsOf("r.started_at")} AS "startedAt", ${millisecondsOf("r.completed_at")} AS "completedAt",
    ${language ? "r.language," : ""} ${distributorId ? `r.distributor_id AS "distributorId",` : ""}
    ${fields.length > 0 ? `json_build_array(${fields.map(fieldOf).join(", ")})::text AS fields,` : ""}
    coalesce(string_agg((CASE WHEN $9::bool OR s.off_path IS NULL THEN s.answers ELSE s.answers - s.off_path END)::text,
      ','), '') AS answers
  FROM respondents r ${withSets} WHERE ${chosen} AND ${areGiven("$9::bool", "$10::text[]")}
  GROUP BY r.workspace_id, r.respondent_id`;
}

/**
 * SQL: a row for respondents that are alike. Keys and names of fields are parameters. Sorted by version, because few
 * definitions are cached. The groups are materialized: otherwise the planner sorts all respondents by version to group
 * them.
 */
function alike(keys: readonly string[], { fields, language, distributorId, startedAt }: RowColumns): string {
  const answer = (key: string) =>
    `any_value(CASE WHEN $9::bool OR s.off_path IS NULL OR ${key} <> ALL (s.off_path) THEN s.answers -> ${key} END)`;
  const answers = keys.map((_, at) => [`answer${at}`, answer(`($11::text[])[${at + 1}]`)] as const);
  const values = fields.map((name, at) => [`field${at}`, fieldOf(name, at)] as const);
  const columns: (readonly [name: string, of: string])[] = [
    ["version_number", "r.version_number"],
    ["is_anonymous", "r.is_anonymous"],
    ["started_at", startedAt ? millisecondsOf("date_bin('15 minutes', r.started_at, 'epoch')") : "0"],
    ["language", language ? "r.language" : "''"],
    ["distributor_id", distributorId ? "r.distributor_id" : "''"],
    ...values,
    ...answers,
  ];
  const namesOf = (some: typeof columns) => some.map(([name]) => name).join(", ");
  return `WITH alike AS MATERIALIZED (
    SELECT ${namesOf(columns)}, count(*)::float8 AS count FROM (SELECT ${columns.map(([name, of]) => `${of} AS ${name}`).join(", ")}
      FROM respondents r ${keys.length > 0 ? withSets : ""}
      WHERE ${chosen} AND ${areGiven("$9::bool", "$10::text[]", "$11::text[]")}
      GROUP BY r.workspace_id, r.respondent_id) AS respondent
    GROUP BY ${namesOf(columns)})
    SELECT version_number AS "versionNumber", is_anonymous AS "isAnonymous", started_at AS "startedAt", language,
      distributor_id AS "distributorId", json_build_array(${namesOf(values)})::text AS fields,
      json_build_array(${namesOf(answers)})::text AS answers, count
    FROM alike ORDER BY version_number`;
}

/**
 * Makes the planner read respondents in the order of an index, so that their answers are neither gathered in memory nor
 * sorted on disk. Only groups may be hashed.
 */
const PLANS = `SELECT set_config(name, value, true) FROM (VALUES ('cursor_tuple_fraction', '1'), ('enable_hashjoin', 'off'),
  ('enable_sort', 'off'), ('jit', 'off'), ('enable_hashagg', $1)) AS setting (name, value)`;

/**
 * Opens a cursor over the respondents that match, and returns a function that reads its next rows; none at the end.
 * Call it once in a transaction.
 */
export async function openMatchingRows(
  sql: Sql,
  walk: MatchingWalk,
  { columns, includeOffPath }: { columns: RowColumns; includeOffPath: boolean },
): Promise<(rows: number) => Promise<MatchingRow[]>> {
  const { keys, fields } = columns;
  const params = [...parametersOf(walk), includeOffPath, fields, ...(keys ? [keys] : [])];
  await Promise.all([
    sql.query(PLANS, [keys ? "on" : "off"]),
    sql.query(`DECLARE matching NO SCROLL CURSOR FOR ${keys ? alike(keys, columns) : alone(columns)}`, params),
  ]);
  return (rows) => sql.query<MatchingRow>(`FETCH ${rows} FROM matching`);
}

function parametersOf({ workspaceId, surveyId, filter, timeZone }: MatchingWalk): unknown[] {
  const { isCompleted, from, to, distributorId, versionNumber, fields } = filter;
  return [
    workspaceId,
    surveyId,
    isCompleted ?? null,
    from ? startBound(from, timeZone) : anyStart.from,
    to ? startBound(to, timeZone) : anyStart.to,
    distributorId ?? null,
    versionNumber ?? null,
    fields ? fieldFilterJson(fields) : null,
  ];
}
