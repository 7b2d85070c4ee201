import type { Sql } from "@canvass/postgres";
import { entry } from "../../domain/submissions/batch-changes.ts";
import { keyOf, type RespondentState } from "../../domain/respondents/respondent-state.ts";
import {
  addAnswers,
  findWanted,
  keysOf,
  readableOf,
  weightOf,
  type WantedRespondent,
} from "../answers/standing-answers.ts";
import type { RespondentRef } from "./respondents.ts";

export interface LockedRespondents {
  /** With the answers asked for. */
  states: RespondentState[];
  /** Without answers: those of the others weigh enough. */
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
  exact_started_at: Date | null;
  exact_seen_at: Date | null;
  page_id: string;
  answer_weight: number;
}

const columns = `r.workspace_id, r.survey_id, r.respondent_id, r.version_id, r.version_number, r.is_test, r.is_anonymous,
  r.contact_id <> '' AS has_contact, r.distributor_id, r.started_at, r.last_seen_at, r.completed_at, r.exact_started_at,
  r.exact_seen_at, r.page_id`;

const LOCK = `SELECT ${columns}, ${weightOf("r")} AS answer_weight FROM respondents r
    JOIN unnest($1::text[], $2::text[]) AS wanted (workspace_id, respondent_id) USING (workspace_id, respondent_id)
  ORDER BY r.workspace_id, r.respondent_id FOR UPDATE OF r`;

const LOCK_ONE = `SELECT ${columns}, r.answer_weight FROM respondents r
  WHERE r.workspace_id = $1 AND r.respondent_id = $2 FOR UPDATE`;

/**
 * Locks respondents until the transaction ends and reads them with the answers asked for, of the first and of as many others
 * as have room in one go. Locks are taken in key order, so that batches never deadlock. Absent respondents are left out.
 */
export async function lockRespondents(sql: Sql, wanted: readonly WantedRespondent[]): Promise<LockedRespondents> {
  const each = eachOnce(wanted);
  // The answers are read by statements of their own: their snapshots are taken after the locks, so they see what the
  // last holders committed. The lock statement is sent first on the same connection, so all can be under way.
  const [rows, answers] = await Promise.all([lock(sql, each), findWanted(sql, each)]);
  const locked = new Map(rows.map(toState).map((state) => [keyOf(state), state]));
  const inOrder = each.flatMap((one) => locked.get(keyOf(one)) ?? []);
  const states = readableOf(inOrder);
  addAnswers(new Map(states.map((state) => [keyOf(state), state])), answers);
  return { states, unread: inOrder.filter((state) => !states.includes(state)) };
}

/** To begin the statement for many takes as long as to lock one. */
async function lock(sql: Sql, refs: readonly RespondentRef[]): Promise<RespondentRow[]> {
  const [one] = refs;
  if (one && refs.length === 1) {
    const rows = await sql.query<RespondentRow>(LOCK_ONE, [one.workspaceId, one.respondentId]);
    if (rows.every(({ answer_weight: weight }) => weight !== null)) return rows;
  }
  return sql.query<RespondentRow>(LOCK, keysOf(refs));
}

/** Each is read once, however often it is wanted: its answers may be heavy. */
function eachOnce(wanted: readonly WantedRespondent[]): WantedRespondent[] {
  const each = new Map<string, RespondentRef & { keys: Set<string> | null }>();
  for (const { workspaceId, respondentId, answerKeys } of wanted) {
    const one = entry(each, keyOf({ workspaceId, respondentId }), () => ({
      workspaceId,
      respondentId,
      keys: new Set<string>(),
    }));
    if (answerKeys === null) one.keys = null;
    for (const key of answerKeys ?? []) one.keys?.add(key);
  }
  return Array.from(each.values(), ({ keys, ...ref }) => ({ ...ref, answerKeys: keys && [...keys] }));
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
    exactStartedAt: row.exact_started_at,
    exactSeenAt: row.exact_seen_at,
    pageId: row.page_id,
    answerWeight: row.answer_weight,
    answers: new Map(),
  };
}
