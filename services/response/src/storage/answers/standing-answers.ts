import type { Sql } from "@canvass/postgres";
import { eachAnswerWeighs } from "../../domain/submissions/answer-weight.ts";
import { keyOf, type RespondentState } from "../../domain/respondents/respondent-state.ts";
import type { RespondentRef } from "../respondents/respondents.ts";

/** Answers of one moment, or one answer of many. */
export interface AnswerRows {
  workspace_id: string;
  respondent_id: string;
  submitted_at: Date;
  /** Values by answer key. */
  answers: Record<string, unknown>;
  metas: Record<string, unknown> | null;
}

/** Of a respondent that an older process left uncounted, about what its answers weigh. */
export const weightOf = (respondent: string) => `coalesce(${respondent}.answer_weight, (
  SELECT coalesce(sum(octet_length(s.answers::text) + coalesce(octet_length(s.metas::text), 0)
    + ${eachAnswerWeighs} * (SELECT count(*) FROM jsonb_object_keys(s.answers))), 0)
  FROM answer_sets s WHERE (s.workspace_id, s.respondent_id) = (${respondent}.workspace_id, ${respondent}.respondent_id)))::int4`;

/** What is read of respondents in one go, in bytes of JSON. */
const mostRead = 8 * 1024 * 1024;

/** Those of the respondents that are read: the first, and the next as far as all before them weigh less than the bound. */
const readable = `(SELECT workspace_id, respondent_id FROM (
    SELECT *, sum(weight) OVER (ORDER BY place) - weight AS before
    FROM (SELECT workspace_id, respondent_id, place, ${weightOf("r")} AS weight
      FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (workspace_id, respondent_id, place)
        JOIN respondents r USING (workspace_id, respondent_id)) AS weighed) AS summed
  WHERE before < ${mostRead})`;

/** The same of locked respondents, in the order in which they were asked for. */
export function readableOf(states: Iterable<RespondentState>): RespondentState[] {
  let before = 0;
  return [...states].filter(({ answerWeight }) => {
    const isRead = before < mostRead;
    before += answerWeight;
    return isRead;
  });
}

/** Bytes as stored. */
const heavySet = 16 * 1024;

/** A set's answers, in rows of one answer where they are heavy: nobody then parses megabytes in one go. */
export const piecesOf = (
  set: string,
) => `(SELECT ${set}.answers, ${set}.metas WHERE pg_column_size(${set}.answers) < ${heavySet}
    UNION ALL SELECT jsonb_build_object(key, value),
      CASE WHEN ${set}.metas ? key THEN jsonb_build_object(key, ${set}.metas -> key) END
    FROM jsonb_each(${set}.answers) WHERE pg_column_size(${set}.answers) >= ${heavySet})`;

const wholeSets = `SELECT s.workspace_id, s.respondent_id, s.submitted_at, piece.answers, piece.metas
  FROM answer_sets s JOIN wanted USING (workspace_id, respondent_id) CROSS JOIN LATERAL ${piecesOf("s")} AS piece`;

const ALL = `WITH wanted AS (SELECT * FROM unnest($1::text[], $2::text[]) AS w (workspace_id, respondent_id)) ${wholeSets}`;
const ALL_READABLE = `WITH wanted AS (SELECT * FROM ${readable} AS r
    JOIN unnest($3::text[], $4::text[]) AS w (workspace_id, respondent_id) USING (workspace_id, respondent_id))
  ${wholeSets}`;

// Reads only the wanted answers of each set: others may be large.
const NAMED_READABLE = `SELECT s.workspace_id, s.respondent_id, s.submitted_at, named.answers, named.metas FROM answer_sets s
    JOIN (SELECT workspace_id, respondent_id, array_agg(answer_key) AS answer_keys
          FROM unnest($3::text[], $4::text[], $5::text[]) AS w (workspace_id, respondent_id, answer_key)
            JOIN ${readable} AS r USING (workspace_id, respondent_id)
          GROUP BY workspace_id, respondent_id) AS wanted USING (workspace_id, respondent_id)
    CROSS JOIN LATERAL (SELECT jsonb_object_agg(key, s.answers -> key) AS answers,
        jsonb_object_agg(key, s.metas -> key) AS metas
      FROM unnest(wanted.answer_keys) AS key WHERE s.answers ? key) AS named
  WHERE s.answers ?| wanted.answer_keys`;

/** Reads all standing answers of respondents into their states. */
export async function findAllAnswers(sql: Sql, states: readonly RespondentState[]): Promise<void> {
  if (states.length === 0) return;
  const rows = await sql.query<AnswerRows>(ALL, keysOf(states));
  addAnswers(new Map(states.map((state) => [keyOf(state), state])), rows);
}

/** All standing answers of those respondents that are readable among `each`. */
export async function findReadable(
  sql: Sql,
  each: readonly RespondentRef[],
  inFull: readonly RespondentRef[],
): Promise<AnswerRows[]> {
  if (inFull.length === 0) return [];
  return sql.query<AnswerRows>(ALL_READABLE, [...keysOf(each), ...keysOf(inFull)]);
}

/** The same of named answers. */
export async function findNamed(
  sql: Sql,
  each: readonly RespondentRef[],
  named: readonly (RespondentRef & { key: string })[],
): Promise<AnswerRows[]> {
  if (named.length === 0) return [];
  const keys = named.map(({ key }) => key);
  return sql.query<AnswerRows>(NAMED_READABLE, [...keysOf(each), ...keysOf(named), keys]);
}

/** Adds answers to the states of their respondents. */
export function addAnswers(states: ReadonlyMap<string, RespondentState>, rows: readonly AnswerRows[]): void {
  for (const { workspace_id: workspaceId, respondent_id: respondentId, ...row } of rows) {
    const standing = states.get(keyOf({ workspaceId, respondentId }))?.answers;
    for (const [key, value] of Object.entries(row.answers)) {
      standing?.set(key, { value, meta: row.metas?.[key] ?? null, submittedAt: row.submitted_at });
    }
  }
}

export function keysOf(refs: readonly RespondentRef[]): string[][] {
  return [refs.map(({ workspaceId }) => workspaceId), refs.map(({ respondentId }) => respondentId)];
}
