import type { Sql } from "@canvass/postgres";
import { getOrInsert } from "../../domain/submissions/batch-changes.ts";
import {
  weightPerAnswer,
  keyOf,
  type RespondentState,
  type CurrentAnswer,
} from "../../domain/respondents/respondent-state.ts";
import type { RespondentRef } from "../respondents/respondents.ts";

export interface AnswerRows {
  workspace_id: string;
  respondent_id: string;
  submitted_at: Date;
  answers: Record<string, unknown>;
  metas: Record<string, unknown> | null;
  off_path: string[] | null;
}

/** SQL: the weight of the answers of the row `respondent`. Approximate if an older process stored none. */
export const answerWeightSql = (respondent: string) => `coalesce(${respondent}.answer_weight, (
  SELECT coalesce(sum(octet_length(s.answers::text) + coalesce(octet_length(s.metas::text), 0)
    + ${weightPerAnswer} * (SELECT count(*) FROM jsonb_object_keys(s.answers))), 0)
  FROM answer_sets s WHERE (s.workspace_id, s.respondent_id) = (${respondent}.workspace_id, ${respondent}.respondent_id)))::int4`;

/** Limit on the weight (respondent-state.ts) of the answers of several respondents that are read together. */
const mostRead = 8 * 1024 * 1024;

/** Selects the first respondent, and next ones within the limit. Rows carry `wanted`: joining it would be quadratic. */
const readable = (wantedType: string) => `(SELECT * FROM (
    SELECT *, sum(weight) OVER (ORDER BY place) - weight AS before
    FROM (SELECT workspace_id, respondent_id, wanted, place, ${answerWeightSql("r")} AS weight
      FROM unnest($1::text[], $2::text[], $3::${wantedType}[]) WITH ORDINALITY
          AS asked (workspace_id, respondent_id, wanted, place)
        JOIN respondents r USING (workspace_id, respondent_id) OFFSET 0) AS weighed) AS summed
  WHERE before < ${mostRead} AND wanted IS NOT NULL)`;

/** Returns the respondents that `readable` selects. Pass them in the order requested. */
export function readableOf(states: Iterable<RespondentState>): RespondentState[] {
  let before = 0;
  return [...states].filter(({ answerWeight }) => {
    const isRead = before < mostRead;
    before += answerWeight;
    return isRead;
  });
}

const heavySet = 16 * 1024;

/** SQL: the rows of a set. A large one has a row per answer: parsing megabytes at once would block the event loop. */
export const answerChunksSql = (
  set: string,
) => `(SELECT ${set}.answers, ${set}.metas WHERE pg_column_size(${set}.answers) < ${heavySet}
    UNION ALL SELECT jsonb_build_object(key, value),
      CASE WHEN ${set}.metas ? key THEN jsonb_build_object(key, ${set}.metas -> key) END
    FROM jsonb_each(${set}.answers) WHERE pg_column_size(${set}.answers) >= ${heavySet})`;

const wholeSets = `SELECT s.workspace_id, s.respondent_id, s.submitted_at, s.off_path, piece.answers, piece.metas
  FROM answer_sets s JOIN wanted USING (workspace_id, respondent_id) CROSS JOIN LATERAL ${answerChunksSql("s")} AS piece`;

const ALL = `WITH wanted AS (SELECT * FROM unnest($1::text[], $2::text[]) AS w (workspace_id, respondent_id)) ${wholeSets}`;
const ALL_READABLE = `WITH wanted AS ${readable("bool")} ${wholeSets}`;

const namedOf = (keys: string) => `(SELECT jsonb_object_agg(key, s.answers -> key) AS answers,
    jsonb_object_agg(key, s.metas -> key) AS metas
  FROM unnest(${keys}) AS key WHERE s.answers ? key)`;

// Reads only the wanted answers of each set: others may be large.
const NAMED_READABLE = `WITH wanted AS MATERIALIZED (
    SELECT workspace_id, respondent_id, ARRAY(SELECT jsonb_array_elements_text(wanted)) AS answer_keys
    FROM ${readable("jsonb")} AS r)
  SELECT s.workspace_id, s.respondent_id, s.submitted_at, s.off_path, named.answers, named.metas
  FROM wanted JOIN answer_sets s USING (workspace_id, respondent_id)
    CROSS JOIN LATERAL ${namedOf("wanted.answer_keys")} AS named
  WHERE s.answers ?| wanted.answer_keys`;

const NAMED_OF_ONE = `SELECT s.workspace_id, s.respondent_id, s.submitted_at, s.off_path, named.answers, named.metas
  FROM answer_sets s CROSS JOIN LATERAL ${namedOf("$3::text[]")} AS named
  WHERE s.workspace_id = $1 AND s.respondent_id = $2 AND s.answers ?| $3::text[]`;

/** Reads all answers of the respondents into `states`. */
export async function loadAllAnswers(sql: Sql, states: readonly RespondentState[]): Promise<void> {
  if (states.length === 0) return;
  const rows = await sql.query<AnswerRows>(ALL, keyColumns(states));
  addAnswers(new Map(states.map((state) => [keyOf(state), state])), rows);
}

export interface WantedRespondent extends RespondentRef {
  /** Null: all answers. */
  answerKeys: readonly string[] | null;
}

/** Returns each respondent once, with all answer keys that are wanted of it. */
export function mergeWanted(wanted: readonly WantedRespondent[]): WantedRespondent[] {
  const each = new Map<string, RespondentRef & { keys: Set<string> | null }>();
  for (const { workspaceId, respondentId, answerKeys } of wanted) {
    const one = getOrInsert(each, keyOf({ workspaceId, respondentId }), () => ({
      workspaceId,
      respondentId,
      keys: new Set<string>(),
    }));
    if (answerKeys === null) one.keys = null;
    for (const key of answerKeys ?? []) one.keys?.add(key);
  }
  return Array.from(each.values(), ({ keys, ...ref }) => ({ ...ref, answerKeys: keys && [...keys] }));
}

/** Returns the wanted answers up to the weight limit. `wanted` must be distinct. */
export async function findWanted(sql: Sql, wanted: readonly WantedRespondent[]): Promise<AnswerRows[]> {
  const [one] = wanted;
  if (one && wanted.length === 1) return findWantedOf(sql, one);
  const all = wanted.map(({ answerKeys }) => (answerKeys === null ? true : null));
  const named = wanted.map(({ answerKeys }) =>
    answerKeys && answerKeys.length > 0 ? JSON.stringify(answerKeys) : null,
  );
  const statements = [
    [ALL_READABLE, all],
    [NAMED_READABLE, named],
  ] as const;
  const found = statements
    .filter(([, each]) => each.some((one) => one !== null))
    .map(([text, each]) => sql.query<AnswerRows>(text, [...keyColumns(wanted), each]));
  return (await Promise.all(found)).flat();
}

async function findWantedOf(sql: Sql, one: WantedRespondent): Promise<AnswerRows[]> {
  const { workspaceId, respondentId, answerKeys } = one;
  if (answerKeys === null) return sql.query<AnswerRows>(ALL, keyColumns([one]));
  if (answerKeys.length === 0) return [];
  return sql.query<AnswerRows>(NAMED_OF_ONE, [workspaceId, respondentId, answerKeys]);
}

export function addAnswers(states: ReadonlyMap<string, RespondentState>, rows: readonly AnswerRows[]): void {
  for (const { workspace_id: workspaceId, respondent_id: respondentId, ...row } of rows) {
    const current = states.get(keyOf({ workspaceId, respondentId }))?.answers;
    for (const [key, answer] of current ? answersOf(row) : []) current!.set(key, answer);
  }
}

export function answersOf({
  answers,
  metas,
  off_path,
  submitted_at: submittedAt,
}: Pick<AnswerRows, "answers" | "metas" | "off_path" | "submitted_at">): [answerKey: string, CurrentAnswer][] {
  return Object.entries(answers).map(([key, value]) => {
    const offPath = off_path?.includes(key) ?? false;
    return [key, { value, meta: metas?.[key] ?? null, submittedAt, ...(offPath && { offPath }) }];
  });
}

/** Parameters of `unnest`: the workspace ids, then the respondent ids. */
export function keyColumns(refs: readonly RespondentRef[]): string[][] {
  return [refs.map(({ workspaceId }) => workspaceId), refs.map(({ respondentId }) => respondentId)];
}
