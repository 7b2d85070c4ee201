import type { Sql } from "@canvass/postgres";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import { jsonBytesSql, toPage, type PageSize, type RowPage } from "../row-page.ts";

export interface AnswerFilter extends SurveyRef {
  respondentId?: string | undefined;
  /** An element with all its repetitions, or an answer key. */
  elementId?: string | undefined;
  /** By the answer's time: from inclusive, to exclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
  isCompleted?: boolean | undefined;
}

/** A set's position in time order: milliseconds, respondent, part. */
export type SetPosition = readonly [submittedAt: number, respondentId: string, part: number];

export interface SetWalk {
  filter: AnswerFilter;
  after: SetPosition | undefined;
}

export interface AnswerSetRecord {
  submittedAt: Date;
  respondentId: string;
  part: number;
  versionId: string;
  versionNumber: number;
  isTest: boolean;
  isAnonymous: boolean;
  /** Values by answer key that pass the filter. Null if none do. */
  answers: Record<string, unknown> | null;
  metas: Record<string, unknown> | null;
  /** Keys of the answers off the path (contract 7.3). */
  offPath: string[] | null;
}

export interface SetCount {
  submittedAt: Date;
  respondentId: string;
  part: number;
  count: number;
  bytes: number;
}

/** One respondent's sets. OFFSET 0 keeps the planner from scanning an index by time instead. */
const setsOf = (respondent: string) =>
  `(SELECT * FROM answer_sets WHERE workspace_id = $1 AND respondent_id = ${respondent} OFFSET 0)`;
const next = (sets: string) => `(SELECT * FROM ${sets} AS a WHERE workspace_id = $1 AND survey_id = $2
    AND (submitted_at, respondent_id, part) > ($3::timestamptz, $4, $5::int2) AND submitted_at < $6
  ORDER BY submitted_at, respondent_id, part LIMIT $7) AS s
  JOIN respondents r ON (r.workspace_id, r.respondent_id) = (s.workspace_id, s.respondent_id)`;
const matchesStatus = "($8::bool IS NULL OR (r.completed_at IS NOT NULL) = $8)";
const matchesElement = "(key = $9 OR starts_with(key, $9 || ':'))";
const place = `submitted_at AS "submittedAt", respondent_id AS "respondentId", part`;
const inOrder = "ORDER BY submitted_at, respondent_id, part";

const pageOf = (sets: string) => `WITH page AS MATERIALIZED (
    SELECT e.*, sum(w.bytes) OVER (${inOrder}) - w.bytes AS before, count(*) OVER () AS found
    FROM (SELECT s.submitted_at, s.respondent_id, s.part, s.answers, s.metas, s.off_path, r.version_id, r.version_number, r.is_test,
        r.is_anonymous, ${matchesStatus} AS matches_status
      FROM ${next(sets)} OFFSET 0) AS e
    CROSS JOIN LATERAL (SELECT CASE WHEN matches_status THEN ${jsonBytesSql("answers")} + ${jsonBytesSql("metas")} ELSE 0 END AS bytes) AS w)
  SELECT ${place}, version_id AS "versionId", version_number AS "versionNumber", is_test AS "isTest",
    is_anonymous AS "isAnonymous", taken.answers, CASE WHEN taken.answers IS NOT NULL THEN metas END AS metas,
    off_path AS "offPath", found::int4
  FROM page CROSS JOIN LATERAL (SELECT CASE WHEN NOT matches_status THEN NULL WHEN $9::text IS NULL THEN page.answers
      ELSE (SELECT jsonb_object_agg(key, value) FROM jsonb_each(page.answers) WHERE ${matchesElement}) END AS answers OFFSET 0) AS taken
  WHERE before < $10 ${inOrder}`;

const countsOf = (sets: string) => `SELECT ${place}, CASE WHEN matches_status THEN (SELECT count(*)
      FROM jsonb_object_keys(answers) AS key WHERE $9::text IS NULL OR ${matchesElement}) ELSE 0 END::int4 AS count,
    bytes::float8, found::int4
  FROM (SELECT e.*, w.bytes, sum(w.bytes) OVER (${inOrder}) - w.bytes AS before, count(*) OVER () AS found
    FROM (SELECT s.submitted_at, s.respondent_id, s.part, s.answers, ${matchesStatus} AS matches_status
      FROM ${next(sets)} OFFSET 0) AS e
    CROSS JOIN LATERAL (SELECT CASE WHEN matches_status THEN ${jsonBytesSql("answers")} ELSE 0 END AS bytes) AS w) AS sized
  WHERE before < $10 ${inOrder}`;

const ofAll = { page: pageOf("answer_sets"), counts: countsOf("answer_sets") };
const ofOne = { page: pageOf(setsOf("$11")), counts: countsOf(setsOf("$11")) };

/** One element is a small part of a set, so one page for it may read eight times the bytes. */
const elementPageFactor = 8;

/** Returns the next sets in time order. Those that fail the filter come without answers: they count as examined. */
export async function findAnswerSets(
  sql: Sql,
  { filter, after }: SetWalk,
  size: PageSize,
): Promise<RowPage<AnswerSetRecord>> {
  const { page } = filter.respondentId === undefined ? ofAll : ofOne;
  const bytes = filter.elementId === undefined ? size.bytes : size.bytes * elementPageFactor;
  const params = [...walkParameters(filter, after, size.rows), bytes, ...respondentOf(filter)];
  const rows = await sql.query<AnswerSetRecord & { found: number }>(page, params);
  return toPage(rows, rows[0]?.found ?? 0, size);
}

/** Like `findAnswerSets`, with the number and bytes of the answers instead of the answers. */
export async function findAnswerCounts(
  sql: Sql,
  { filter, after }: SetWalk,
  size: PageSize,
): Promise<RowPage<SetCount>> {
  const { counts } = filter.respondentId === undefined ? ofAll : ofOne;
  const params = [...walkParameters(filter, after, size.rows), size.bytes, ...respondentOf(filter)];
  const rows = await sql.query<SetCount & { found: number }>(counts, params);
  return toPage(rows, rows[0]?.found ?? 0, size);
}

export function positionOf({ submittedAt, respondentId, part }: Omit<SetCount, "count" | "bytes">): SetPosition {
  return [submittedAt.getTime(), respondentId, part];
}

const respondentOf = ({ respondentId }: AnswerFilter) => (respondentId === undefined ? [] : [respondentId]);

function walkParameters(
  { workspaceId, surveyId, ...filter }: AnswerFilter,
  after: SetPosition | undefined,
  rows: number,
) {
  const { from, to, isCompleted, elementId } = filter;
  const isInside = after !== undefined && (!from || after[0] >= from.getTime());
  const [time, respondentId, part] = isInside
    ? [new Date(after[0]).toISOString(), after[1], after[2]]
    : [from?.toISOString() ?? "-infinity", "", -1];
  const last = to?.toISOString() ?? "infinity";
  return [workspaceId, surveyId, time, respondentId, part, last, rows, isCompleted ?? null, elementId ?? null];
}
