import type { Sql } from "@canvass/postgres";
import { keyOf, type RespondentState } from "../../domain/respondents/respondent-state.ts";
import {
  addAnswers,
  eachOnce,
  findWanted,
  keysOf,
  readableOf,
  weightOf,
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

const LOCK = `SELECT ${columns}, ${weightOf("r")} AS answer_weight FROM respondents r
    JOIN unnest($1::text[], $2::text[]) AS wanted (workspace_id, respondent_id)
      ON wanted.workspace_id = r.workspace_id AND wanted.respondent_id = r.respondent_id
    ${collecting}
  ORDER BY r.workspace_id, r.respondent_id FOR UPDATE OF r`;

const LOCK_ONE = `SELECT ${columns}, r.answer_weight FROM respondents r ${collecting}
  WHERE r.workspace_id = $1 AND r.respondent_id = $2 FOR UPDATE OF r`;

/** Locks respondents in key order and reads wanted answers up to the weight limit. Call `holdCollecting` before. */
export async function lockRespondents(sql: Sql, wanted: readonly WantedRespondent[]): Promise<LockedRespondents> {
  const each = eachOnce(wanted);
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
  return sql.query<RespondentRow>(LOCK, keysOf(refs));
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
