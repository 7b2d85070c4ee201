import { rowsAsJson, type Sql, type Statement } from "@canvass/postgres";
import { keyOf, type NewRespondent, type RespondentState } from "../../domain/respondents/respondent-state.ts";
import {
  addAnswers,
  mergeWanted,
  findWanted,
  keyColumns,
  readableOf,
  answerWeightSql,
  type WantedRespondent,
} from "../answers/current-answers.ts";
import { REVISION_FOR_ANSWERS } from "../collecting/collecting-surveys.ts";
import type { RespondentRef } from "./respondents.ts";

/** Revisions of a respondent's survey and distributor. Null if not stored, held, or without a distributor. */
export interface CollectingRevisions {
  survey: string | null;
  link: string | null;
}

export interface LockedRespondents {
  states: RespondentState[];
  revisions: ReadonlyMap<RespondentState, CollectingRevisions>;
  /** Without answers, because those of the others reach the weight limit. */
  unread: RespondentState[];
}

interface RespondentRow {
  workspace_id: string;
  survey_id: string;
  respondent_id: string;
  version_id: string;
  version_number: number;
  is_test: boolean;
  is_anonymous: boolean;
  has_contact: boolean;
  distributor_id: string;
  started_at: Date;
  last_seen_at: Date;
  completed_at: Date | null;
  is_screened_out: boolean;
  exact_started_at: Date | null;
  exact_seen_at: Date | null;
  page_id: string;
  language: string;
  fields: RespondentState["fields"];
  answer_weight: number;
  survey_revision: string | null;
  link_revision: string | null;
}

const columns = `r.workspace_id, r.survey_id, r.respondent_id, r.version_id, r.version_number, r.is_test, r.is_anonymous,
  r.contact_id <> '' AS has_contact, r.distributor_id, r.started_at, r.last_seen_at, r.completed_at, r.is_screened_out,
  r.exact_started_at, r.exact_seen_at, r.page_id, r.language, r.fields, ${REVISION_FOR_ANSWERS} AS survey_revision, l.revision AS link_revision`;

const collecting = `LEFT JOIN collecting_surveys s ON s.workspace_id = r.workspace_id AND s.survey_id = r.survey_id
  LEFT JOIN collecting_links l ON l.workspace_id = r.workspace_id AND l.distributor_id = r.distributor_id`;

const LOCK = `SELECT ${columns}, ${answerWeightSql("r")} AS answer_weight FROM respondents r
    JOIN unnest($1::text[], $2::text[]) AS wanted (workspace_id, respondent_id)
      ON wanted.workspace_id = r.workspace_id AND wanted.respondent_id = r.respondent_id
    ${collecting}
  ORDER BY r.workspace_id, r.respondent_id FOR UPDATE OF r`;

const LOCK_ONE = `SELECT ${columns}, r.answer_weight FROM respondents r ${collecting}
  WHERE r.workspace_id = $1 AND r.respondent_id = $2 FOR UPDATE OF r`;

/** Locks respondents in key order and reads wanted answers up to the weight limit. Call `holdCollecting` before. */
export async function lockRespondents(sql: Sql, wanted: readonly WantedRespondent[]): Promise<LockedRespondents> {
  const each = mergeWanted(wanted);
  // Separate statements read the answers, with snapshots newer than the locks. The lock statement is sent first.
  const [rows, answers] = await Promise.all([lock(sql, each), findWanted(sql, each)]);
  const revisions = new Map(rows.map((row) => [toState(row), revisionsOf(row)] as const));
  const locked = new Map(Array.from(revisions.keys(), (state) => [keyOf(state), state]));
  const inOrder = each.flatMap((one) => locked.get(keyOf(one)) ?? []);
  const states = readableOf(inOrder);
  addAnswers(new Map(states.map((state) => [keyOf(state), state])), answers);
  return { states, revisions, unread: inOrder.filter((state) => !states.includes(state)) };
}

/** Starting the statement for many takes as long as locking one. */
async function lock(sql: Sql, refs: readonly RespondentRef[]): Promise<RespondentRow[]> {
  const [one] = refs;
  if (one && refs.length === 1) {
    const rows = await sql.query<RespondentRow>(LOCK_ONE, [one.workspaceId, one.respondentId]);
    if (rows.every(({ answer_weight: weight }) => weight !== null)) return rows;
  }
  return sql.query<RespondentRow>(LOCK, keyColumns(refs));
}

function revisionsOf(row: RespondentRow): CollectingRevisions {
  return { survey: row.survey_revision, link: row.link_revision };
}

function toState(row: RespondentRow): RespondentState {
  return {
    workspaceId: row.workspace_id,
    surveyId: row.survey_id,
    respondentId: row.respondent_id,
    versionId: row.version_id,
    versionNumber: row.version_number,
    isTest: row.is_test,
    isAnonymous: row.is_anonymous,
    hasContact: row.has_contact,
    distributorId: row.distributor_id,
    startedAt: row.started_at,
    lastSeenAt: row.last_seen_at,
    completedAt: row.completed_at,
    isScreenedOut: row.is_screened_out,
    exactStartedAt: row.exact_started_at,
    exactSeenAt: row.exact_seen_at,
    pageId: row.page_id,
    language: row.language,
    fields: row.fields,
    answerWeight: row.answer_weight,
    answers: new Map(),
  };
}

export async function insertStatements(respondents: Iterable<NewRespondent>): Promise<Statement[]> {
  const rows = [...respondents].map((respondent) => ({
    ...movingColumns(respondent),
    survey_id: respondent.surveyId,
    version_id: respondent.versionId,
    version_number: respondent.versionNumber,
    is_test: respondent.isTest,
    is_anonymous: respondent.isAnonymous,
    distributor_id: respondent.distributorId,
    contact_id: respondent.contactId,
    country: respondent.country,
    metadata: respondent.metadata,
    fields: respondent.fields,
    order_seed: respondent.orderSeed,
    external_id: respondent.externalId ?? null,
    is_imported: respondent.isImported ?? false,
  }));
  if (rows.length === 0) return [];
  return [{ text: INSERT, params: [await rowsAsJson(rows)] }];
}

export async function updateStatements(states: Iterable<RespondentState>): Promise<Statement[]> {
  const rows = [...states].map(movingColumns);
  if (rows.length === 0) return [];
  if (rows.length === 1) return [{ text: UPDATE_ONE, params: Object.values(rows[0]!) }];
  return [{ text: UPDATE, params: [await rowsAsJson(rows)] }];
}

/** The key and the columns that submissions change, in the order of the parameters of UPDATE_ONE. */
function movingColumns(state: RespondentState) {
  return {
    workspace_id: state.workspaceId,
    respondent_id: state.respondentId,
    started_at: state.startedAt,
    completed_at: state.completedAt,
    last_seen_at: state.lastSeenAt,
    exact_started_at: state.exactStartedAt,
    exact_seen_at: state.exactSeenAt,
    page_id: state.pageId,
    answer_weight: state.answerWeight,
    language: state.language,
    is_screened_out: state.isScreenedOut ?? false,
  };
}

const inserted = `workspace_id, survey_id, respondent_id, version_id, version_number, is_test, is_anonymous, started_at,
  last_seen_at, exact_started_at, exact_seen_at, completed_at, page_id, answer_weight, is_screened_out, language,
  distributor_id, contact_id, country, metadata, fields, order_seed, external_id, is_imported`;

const INSERT = `INSERT INTO respondents (${inserted}) SELECT ${inserted}
  FROM json_to_recordset($1::json) AS r (workspace_id text, survey_id text, respondent_id text, version_id text,
    version_number int, is_test boolean, is_anonymous boolean, started_at timestamptz, last_seen_at timestamptz,
    exact_started_at timestamptz, exact_seen_at timestamptz, completed_at timestamptz, page_id text, answer_weight int,
    is_screened_out boolean, language text, distributor_id text, contact_id text, country text, metadata jsonb,
    fields jsonb, order_seed int, external_id text, is_imported boolean)`;

const UPDATE = `UPDATE respondents r SET started_at = u.started_at, completed_at = u.completed_at,
    last_seen_at = u.last_seen_at, exact_started_at = u.exact_started_at, exact_seen_at = u.exact_seen_at,
    page_id = u.page_id, answer_weight = u.answer_weight, language = u.language,
    is_screened_out = u.is_screened_out
  FROM json_to_recordset($1::json) AS u (workspace_id text, respondent_id text,
    started_at timestamptz, completed_at timestamptz, last_seen_at timestamptz, exact_started_at timestamptz,
    exact_seen_at timestamptz, page_id text, answer_weight int, language text, is_screened_out boolean)
  WHERE (r.workspace_id, r.respondent_id) = (u.workspace_id, u.respondent_id)`;

/** Starting the statement for many takes as long as writing one. */
const UPDATE_ONE = `UPDATE respondents SET started_at = $3, completed_at = $4, last_seen_at = $5, exact_started_at = $6,
    exact_seen_at = $7, page_id = $8, answer_weight = $9, language = $10, is_screened_out = $11
  WHERE workspace_id = $1 AND respondent_id = $2`;
