import type { Database, Sql } from "@canvass/postgres";
import type { PrismaClient } from "../../gen/prisma/client.ts";
import type { RespondentDetails, RespondentState } from "../domain/respondent-state.ts";

export interface RespondentRef {
  workspaceId: string;
  respondentId: string;
}

export interface WantedRespondent extends RespondentRef {
  /** Which of its standing answers are wanted; null: all of them. */
  answerKeys: readonly string[] | null;
}

interface RespondentRow {
  workspace_id: string;
  survey_id: string;
  respondent_id: string;
  version_id: string;
  version_number: number;
  is_test: boolean;
  is_anonymous: boolean;
  started_at: Date;
  last_seen_at: Date;
  completed_at: Date | null;
  page_id: string;
}

interface AnswerSetRow {
  workspace_id: string;
  respondent_id: string;
  submitted_at: Date;
  /** Values by answer key. */
  answers: Record<string, unknown>;
  metas: Record<string, unknown> | null;
}

const stateColumns = {
  workspaceId: true,
  surveyId: true,
  respondentId: true,
  versionId: true,
  versionNumber: true,
  isTest: true,
  isAnonymous: true,
  startedAt: true,
  lastSeenAt: true,
  completedAt: true,
  pageId: true,
  language: true,
  distributorId: true,
  contactId: true,
  metadata: true,
} as const;

const columns = `r.workspace_id, r.survey_id, r.respondent_id, r.version_id, r.version_number, r.is_test,
  r.is_anonymous, r.started_at, r.last_seen_at, r.completed_at, r.page_id`;

/** One respondent with all its answers; undefined when there is none. */
export async function findRespondent(
  { prisma, sql }: Pick<Database<PrismaClient>, "prisma" | "sql">,
  { workspaceId, respondentId }: RespondentRef,
): Promise<(RespondentState & RespondentDetails) | undefined> {
  const where = { workspaceId_respondentId: { workspaceId, respondentId } };
  const found = await prisma.respondent.findUnique({ where, select: stateColumns });
  if (!found) return undefined;
  const state: RespondentState & RespondentDetails = { ...found, answers: new Map() };
  await findAllAnswers(sql, [state]);
  return state;
}

/**
 * Locks respondents until the transaction ends and reads them with the answers asked for. Locks are taken in key order,
 * so that batches never deadlock. Absent respondents are left out.
 */
export async function lockRespondents(sql: Sql, wanted: readonly WantedRespondent[]): Promise<RespondentState[]> {
  // Each is read once, however often it is wanted: its answers may be heavy.
  const each = new Map(
    wanted.map(({ workspaceId, respondentId }) => {
      const ref = { workspaceId, respondentId };
      return [refKey(ref), ref];
    }),
  );
  const inFull = new Map(wanted.flatMap(({ answerKeys, ...ref }) => (answerKeys === null ? [[refKey(ref), ref]] : [])));
  const named = wanted.flatMap(({ answerKeys, ...ref }) =>
    inFull.has(refKey(ref)) ? [] : (answerKeys ?? []).map((key) => ({ ...ref, key })),
  );
  // The answers are read by statements of their own: their snapshots are taken after the locks, so they see what the
  // last holders committed. The lock statement is sent first on the same connection, so all can be under way.
  const [rows, ...answers] = await Promise.all([
    sql.query<RespondentRow>(
      `SELECT ${columns} FROM respondents r
         JOIN unnest($1::text[], $2::text[]) AS wanted (workspace_id, respondent_id) USING (workspace_id, respondent_id)
       ORDER BY r.workspace_id, r.respondent_id FOR UPDATE OF r`,
      keysOf([...each.values()]),
    ),
    allAnswersOf(sql, [...inFull.values()]),
    namedAnswersOf(sql, named),
  ]);
  const states = new Map(rows.map((row) => [keyOf(row), toState(row)]));
  addAnswers(states, answers.flat());
  return [...states.values()];
}

/** Reads all standing answers of respondents into their states. */
export async function findAllAnswers(sql: Sql, states: readonly RespondentState[]): Promise<void> {
  addAnswers(new Map(states.map((state) => [refKey(state), state])), await allAnswersOf(sql, states));
}

async function allAnswersOf(sql: Sql, refs: readonly RespondentRef[]): Promise<AnswerSetRow[]> {
  if (refs.length === 0) return [];
  return sql.query<AnswerSetRow>(
    `SELECT s.workspace_id, s.respondent_id, s.submitted_at, s.answers, s.metas FROM answer_sets s
       JOIN unnest($1::text[], $2::text[]) AS wanted (workspace_id, respondent_id) USING (workspace_id, respondent_id)`,
    keysOf(refs),
  );
}

/** Reads only the wanted answers of each set: others may be large. */
async function namedAnswersOf(sql: Sql, refs: readonly (RespondentRef & { key: string })[]): Promise<AnswerSetRow[]> {
  if (refs.length === 0) return [];
  return sql.query<AnswerSetRow>(
    `SELECT s.workspace_id, s.respondent_id, s.submitted_at, named.answers, named.metas FROM answer_sets s
       JOIN (SELECT workspace_id, respondent_id, array_agg(answer_key) AS answer_keys
             FROM unnest($1::text[], $2::text[], $3::text[]) AS w (workspace_id, respondent_id, answer_key)
             GROUP BY workspace_id, respondent_id) AS wanted USING (workspace_id, respondent_id)
       CROSS JOIN LATERAL (SELECT jsonb_object_agg(key, s.answers -> key) AS answers,
           jsonb_object_agg(key, s.metas -> key) AS metas
         FROM unnest(wanted.answer_keys) AS key WHERE s.answers ? key) AS named
     WHERE s.answers ?| wanted.answer_keys`,
    [...keysOf(refs), refs.map(({ key }) => key)],
  );
}

function addAnswers(states: ReadonlyMap<string, RespondentState>, rows: readonly AnswerSetRow[]): void {
  for (const row of rows) {
    const standing = states.get(keyOf(row))?.answers;
    for (const [key, value] of Object.entries(row.answers)) {
      standing?.set(key, { value, meta: row.metas?.[key] ?? null, submittedAt: row.submitted_at });
    }
  }
}

function keysOf(refs: readonly RespondentRef[]): string[][] {
  return [refs.map(({ workspaceId }) => workspaceId), refs.map(({ respondentId }) => respondentId)];
}

function keyOf(row: { workspace_id: string; respondent_id: string }): string {
  return refKey({ workspaceId: row.workspace_id, respondentId: row.respondent_id });
}

function refKey({ workspaceId, respondentId }: RespondentRef): string {
  return `${workspaceId} ${respondentId}`;
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
    startedAt: row.started_at,
    lastSeenAt: row.last_seen_at,
    completedAt: row.completed_at,
    pageId: row.page_id,
    answers: new Map(),
  };
}
