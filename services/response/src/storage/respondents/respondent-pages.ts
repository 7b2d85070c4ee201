import type { Sql } from "@canvass/postgres";
import { firstIdOf } from "@canvass/values";
import type { RespondentDetails, CurrentAnswer, RespondentStatus } from "../../domain/respondents/respondent-state.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import { answersOf, answerChunksSql, type AnswerRows } from "../answers/current-answers.ts";
import { fieldFilterJson, matchesFieldsSql } from "../field-filter.ts";
import { anyStart, startBound, startsBetweenSql } from "../start-bounds.ts";
import { jsonBytesSql, toPage, type PageSize, type RowPage } from "../row-page.ts";

export interface RespondentRecord extends RespondentDetails {
  respondentId: string;
  versionId: string;
  versionNumber: number;
  isTest: boolean;
  isAnonymous: boolean;
  startedAt: Date;
  lastSeenAt: Date;
  completedAt: Date | null;
  isScreenedOut: boolean;
  pageId: string;
  answers: Map<string, CurrentAnswer>;
  /** Whether it passes the filter. If not, it counts as examined and has no answers. */
  isMatch: boolean;
}

export interface RespondentFilter extends SurveyRef {
  isCompleted?: boolean | undefined;
  status?: RespondentStatus | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** Of the workspace. Needed with `from` or `to`. */
  timeZone?: string | undefined;
  distributorId?: string | undefined;
  contactId?: string | undefined;
  /** Values of hidden fields as text, by name. */
  fields?: Readonly<Record<string, string>> | undefined;
  /** Leaves out starts from this time on. Under full anonymity ids reveal no time, so those stay. */
  startedBefore?: Date | undefined;
}

export interface RespondentPageRequest {
  filter: RespondentFilter;
  after: string | undefined;
  size: PageSize;
  withAnswers: boolean;
}

const columns = `respondent_id AS "respondentId", version_id AS "versionId", version_number AS "versionNumber",
  is_test AS "isTest", is_anonymous AS "isAnonymous", started_at AS "startedAt", last_seen_at AS "lastSeenAt",
  completed_at AS "completedAt", is_screened_out AS "isScreenedOut", page_id AS "pageId", language,
  distributor_id AS "distributorId", contact_id AS "contactId", metadata, fields, order_seed AS "orderSeed",
  external_id AS "externalId", is_imported AS "isImported"`;

/** Under full anonymity an id has any time of its day, and the stored midnight differs from the exact time, too. */
const idSlackMs = 2 * 86_400_000;
/** Ids of respondents that are imported with an earlier start have a time of this day. */
const firstIdMs = Date.UTC(2020, 0, 1);

// Rows that fail the filter count as examined, so they are returned without answers.
const examined = `SELECT r.*, ((completed_at IS NOT NULL) = ALL($5::bool[]) AND ${startsBetweenSql("$6", "$7")}
    AND ($8::text IS NULL OR distributor_id = $8) AND ($9::text IS NULL OR contact_id = $9)
    AND ($14::bool IS NULL OR is_screened_out = $14)
    AND ${matchesFieldsSql("$13")}) AS is_match
  FROM respondents r WHERE workspace_id = $1 AND survey_id = $2 AND respondent_id > $3 AND respondent_id < $10
    AND (respondent_id < $11 OR is_anonymous) ORDER BY respondent_id LIMIT $4`;

const page = (weight: string) => `WITH page AS MATERIALIZED (
    SELECT r.*, sum(w.bytes) OVER (ORDER BY r.respondent_id) - w.bytes AS before, count(*) OVER () AS found
    FROM (${examined}) AS r CROSS JOIN LATERAL (${weight}) AS w)`;

const ALONE = `${page(`SELECT pg_column_size(r.metadata) + pg_column_size(r.fields) AS bytes`)}
  SELECT ${columns}, is_match AS "isMatch", found::int4 FROM page WHERE before < $12 ORDER BY respondent_id`;

const WITH_ANSWERS = `${page(`SELECT 500 + pg_column_size(r.metadata) + pg_column_size(r.fields) + coalesce(sum(${jsonBytesSql("s.answers")} + ${jsonBytesSql("s.metas")}), 0)
      AS bytes FROM answer_sets s
    WHERE (s.workspace_id, s.respondent_id) = (r.workspace_id, r.respondent_id) AND r.is_match`)}
  SELECT r.*, s.submitted_at, s.off_path, piece.answers, piece.metas
  FROM (SELECT ${columns}, workspace_id, respondent_id, is_match, is_match AS "isMatch", found::int4
    FROM page WHERE before < $12) AS r
  LEFT JOIN answer_sets s ON (s.workspace_id, s.respondent_id) = (r.workspace_id, r.respondent_id) AND r.is_match
  LEFT JOIN LATERAL ${answerChunksSql("s")} AS piece ON s.part IS NOT NULL
  ORDER BY r.respondent_id, s.part, s.submitted_at`;

type Row = Omit<RespondentRecord, "answers"> & { found: number };
/** With a set of answers, or one answer of a large set. All null for a respondent without answers. */
type AnsweredRow = Row & Omit<AnswerRows, "workspace_id" | "respondent_id">;

export async function findRespondents(sql: Sql, request: RespondentPageRequest): Promise<RowPage<RespondentRecord>> {
  const { size, withAnswers } = request;
  const rows = await sql.query<Row | AnsweredRow>(withAnswers ? WITH_ANSWERS : ALONE, parametersOf(request));
  const respondents = new Map<string, RespondentRecord>();
  for (const { found: _, ...row } of rows) {
    let respondent = respondents.get(row.respondentId);
    if (!respondent) respondents.set(row.respondentId, (respondent = toRecord(row)));
    if (!("answers" in row) || !row.answers) continue;
    for (const [key, answer] of answersOf(row)) respondent.answers.set(key, answer);
  }
  return toPage([...respondents.values()], rows[0]?.found ?? 0, size);
}

function toRecord(row: Omit<Row, "found">): RespondentRecord {
  const { respondentId, versionId, versionNumber, isTest, isAnonymous, startedAt, lastSeenAt, completedAt } = row;
  const { isScreenedOut, pageId, language, distributorId, contactId, metadata, fields, orderSeed, isMatch } = row;
  const { externalId = null, isImported = false } = row;
  const origin = { externalId, isImported };
  const details = { language, distributorId, contactId, metadata, fields, orderSeed, ...origin };
  const about = { isScreenedOut, pageId, ...details, isMatch, answers: new Map() };
  return { respondentId, versionId, versionNumber, isTest, isAnonymous, startedAt, lastSeenAt, completedAt, ...about };
}

/** Longer than any id, so it sorts after all. */
const lastId = "z".repeat(17);

function parametersOf({ filter, after, size }: RespondentPageRequest): unknown[] {
  const {
    workspaceId,
    surveyId,
    isCompleted,
    status,
    from,
    to,
    timeZone = "UTC",
    distributorId,
    contactId,
    startedBefore,
    fields = {},
  } = filter;
  const first = from ? firstIdOf(new Date(from.getTime() - idSlackMs)) : "";
  return [
    workspaceId,
    surveyId,
    after !== undefined && after > first ? after : first,
    size.rows,
    [isCompleted, status && status === "completed"].filter((wanted) => wanted !== undefined),
    from ? startBound(from, timeZone) : anyStart.from,
    to ? startBound(to, timeZone) : anyStart.to,
    distributorId ?? null,
    contactId ?? null,
    to ? firstIdOf(new Date(Math.max(to.getTime(), firstIdMs) + idSlackMs)) : lastId,
    startedBefore ? firstIdOf(startedBefore) : lastId,
    size.bytes,
    fieldFilterJson(fields),
    status === undefined ? null : status === "screened_out",
  ];
}
