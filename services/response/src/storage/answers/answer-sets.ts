import { getOrInsert, type AnswerPlace, type ChangedAnswer } from "../../domain/submissions/batch-changes.ts";
import { rowsAsJson, type Statement } from "@canvass/postgres";

/** Takes replaced and removed answers out of their sets and adds the current ones. Respondents must be locked. */
export async function answerStatements(
  left: Iterable<AnswerPlace>,
  current: Iterable<ChangedAnswer>,
): Promise<Statement[]> {
  return [...(await takeOut(left)), ...(await putIn(current))];
}

async function takeOut(places: Iterable<AnswerPlace>): Promise<Statement[]> {
  const timestamps = new Map<string, Omit<AnswerPlace, "answer_key"> & { answer_keys: string[] }>();
  for (const { answer_key, ...timestamp } of places) {
    getOrInsert(timestamps, timestampKey(timestamp), () => ({ ...timestamp, answer_keys: [] })).answer_keys.push(
      answer_key,
    );
  }
  if (timestamps.size === 0) return [];
  const params = [await rowsAsJson(timestamps.values())];
  const from = `json_to_recordset($1::json)
       AS l (workspace_id text, respondent_id text, submitted_at timestamptz, answer_keys text[])
     WHERE (s.workspace_id, s.respondent_id, s.submitted_at) = (l.workspace_id, l.respondent_id, l.submitted_at)
       AND s.answers ?| l.answer_keys`;
  return [
    { text: `DELETE FROM answer_sets s USING ${from} AND s.answers - l.answer_keys = '{}'`, params },
    {
      text: `UPDATE answer_sets s SET answers = s.answers - l.answer_keys, metas = nullif(s.metas - l.answer_keys, '{}'),
         off_path = (SELECT array_agg(key) FROM unnest(s.off_path) AS key WHERE key <> ALL (l.answer_keys))
       FROM ${from}`,
      params,
    },
  ];
}

async function putIn(answers: Iterable<ChangedAnswer>): Promise<Statement[]> {
  const sets = new Map<string, AnswerSet>();
  for (const { respondent, answerKey, part, answer } of answers) {
    const { workspaceId, surveyId, respondentId } = respondent;
    const submitted_at = answer.submittedAt.toISOString();
    const place = { workspace_id: workspaceId, respondent_id: respondentId, submitted_at };
    const empty = { ...place, survey_id: surveyId, part, answers: {}, metas: null, off_path: null };
    const set: AnswerSet = getOrInsert(sets, `${timestampKey(place)} ${part}`, () => empty);
    set.answers[answerKey] = answer.value;
    if (answer.meta !== null) set.metas = { ...set.metas, [answerKey]: answer.meta };
    if (answer.offPath) set.off_path = [...(set.off_path ?? []), answerKey];
  }
  if (sets.size === 0) return [];
  if (sets.size === 1) return sets.values().map(putInOne).toArray();
  return [{ text: PUT_IN, params: [await rowsAsJson(sets.values())] }];
}

interface AnswerSet {
  workspace_id: string;
  survey_id: string;
  respondent_id: string;
  part: number;
  submitted_at: string;
  answers: Record<string, unknown>;
  metas: Record<string, unknown> | null;
  off_path: string[] | null;
}

function putInOne(set: AnswerSet): Statement {
  const { workspace_id, survey_id, respondent_id, part, submitted_at, answers, metas, off_path } = set;
  const json = [JSON.stringify(answers), metas && JSON.stringify(metas)];
  return { text: PUT_IN_ONE, params: [workspace_id, survey_id, respondent_id, part, submitted_at, ...json, off_path] };
}

/** Without ON CONFLICT, which writes an extra record per row. The respondents' locks exclude concurrent writers. */
const PUT_IN = `WITH n AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS n (workspace_id text, survey_id text, respondent_id text, part smallint,
      submitted_at timestamptz, answers jsonb, metas jsonb, off_path text[])
  ), known AS (
    UPDATE answer_sets s SET answers = s.answers || n.answers, metas = coalesce(s.metas || n.metas, s.metas, n.metas),
      off_path = s.off_path || n.off_path
    FROM n WHERE (s.workspace_id, s.respondent_id, s.part, s.submitted_at)
      = (n.workspace_id, n.respondent_id, n.part, n.submitted_at)
    RETURNING s.workspace_id, s.respondent_id, s.part, s.submitted_at
  )
  INSERT INTO answer_sets (workspace_id, survey_id, respondent_id, part, submitted_at, answers, metas, off_path)
  SELECT workspace_id, survey_id, respondent_id, part, submitted_at, answers, metas, off_path FROM n
  WHERE (workspace_id, respondent_id, part, submitted_at) NOT IN (SELECT * FROM known)`;

/** For one set, because starting the statement for many takes as long as writing one. */
const PUT_IN_ONE = `WITH known AS (
    UPDATE answer_sets SET answers = answers || $6::jsonb, metas = coalesce(metas || $7::jsonb, metas, $7::jsonb),
      off_path = off_path || $8::text[]
    WHERE workspace_id = $1::text AND respondent_id = $3::text AND part = $4::smallint AND submitted_at = $5::timestamptz
    RETURNING 1
  )
  INSERT INTO answer_sets (workspace_id, survey_id, respondent_id, part, submitted_at, answers, metas, off_path)
  SELECT $1::text, $2::text, $3::text, $4::smallint, $5::timestamptz, $6::jsonb, $7::jsonb, $8::text[]
  WHERE NOT EXISTS (SELECT FROM known)`;

function timestampKey(place: { workspace_id: string; respondent_id: string; submitted_at: string }): string {
  return `${place.workspace_id} ${place.respondent_id} ${place.submitted_at}`;
}
