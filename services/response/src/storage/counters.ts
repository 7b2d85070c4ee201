import type { Sql } from "@canvass/postgres";
import { randomInt } from "node:crypto";
import type { BucketCount, NumberCount, QuestionCounts, SlotCount, SurveyCounts } from "../domain/batch-changes.ts";

/**
 * Counters are spread over this many rows that add up. A batch writes one shard, so batches that commit at the same
 * time seldom meet; a reader adds up at most this many rows for each counter.
 */
const shards = 16;

/** The shard a transaction counts in. */
export function pickShard(): number {
  return randomInt(shards);
}

/** Counts respondents that started. */
export async function countStarts(
  sql: Sql,
  shard: number,
  starts: readonly { workspace_id: string; survey_id: string; started: number }[],
): Promise<void> {
  await count(
    sql,
    `INSERT INTO survey_counters AS c (workspace_id, survey_id, shard, started)
     SELECT workspace_id, survey_id, $2, started
     FROM json_to_recordset($1::json) AS n (workspace_id text, survey_id text, started bigint)
     ORDER BY workspace_id, survey_id
     ON CONFLICT (workspace_id, survey_id, shard) DO UPDATE SET started = c.started + excluded.started`,
    shard,
    starts,
  );
}

/** Counts completions and the time they took. */
export async function countCompletions(sql: Sql, shard: number, counts: Iterable<SurveyCounts>): Promise<void> {
  await count(
    sql,
    `INSERT INTO survey_counters AS c (workspace_id, survey_id, shard, completed, completion_milliseconds)
     SELECT workspace_id, survey_id, $2, completed, completion_milliseconds
     FROM json_to_recordset($1::json)
       AS n (workspace_id text, survey_id text, completed bigint, completion_milliseconds bigint)
     ORDER BY workspace_id, survey_id
     ON CONFLICT (workspace_id, survey_id, shard) DO UPDATE SET completed = c.completed + excluded.completed,
       completion_milliseconds = c.completion_milliseconds + excluded.completion_milliseconds`,
    shard,
    [...counts],
  );
}

/** Counts completions by quarter of an hour. */
export async function countSlots(sql: Sql, shard: number, counts: Iterable<SlotCount>): Promise<void> {
  await count(
    sql,
    `INSERT INTO completion_slots AS c (workspace_id, survey_id, starts_at, shard, completions)
     SELECT workspace_id, survey_id, starts_at, $2, completions
     FROM json_to_recordset($1::json)
       AS n (workspace_id text, survey_id text, starts_at timestamptz, completions bigint)
     ORDER BY workspace_id, survey_id, starts_at
     ON CONFLICT (workspace_id, survey_id, starts_at, shard)
       DO UPDATE SET completions = c.completions + excluded.completions`,
    shard,
    [...counts],
  );
}

/** Counts answers of each question, and adds up the numeric ones. */
export async function countAnswers(sql: Sql, shard: number, counts: Iterable<QuestionCounts>): Promise<void> {
  await count(
    sql,
    `INSERT INTO question_counters AS c (workspace_id, survey_id, question_id, shard, responses, respondents, sum)
     SELECT workspace_id, survey_id, question_id, $2, responses, respondents, sum
     FROM json_to_recordset($1::json) AS n (workspace_id text, survey_id text, question_id text, responses bigint,
       respondents bigint, sum numeric)
     ORDER BY workspace_id, survey_id, question_id
     ON CONFLICT (workspace_id, survey_id, question_id, shard) DO UPDATE SET responses = c.responses + excluded.responses,
       respondents = c.respondents + excluded.respondents, sum = c.sum + excluded.sum`,
    shard,
    // A sum of billionths is wider than a JSON number is exact, so it travels as text.
    [...counts].map((row) => ({ ...row, sum: row.sum.toString() })),
  );
}

/** Counts what was answered. */
export async function countBuckets(sql: Sql, shard: number, counts: Iterable<BucketCount>): Promise<void> {
  await count(
    sql,
    `INSERT INTO bucket_counters AS c (workspace_id, survey_id, question_id, bucket, shard, count)
     SELECT workspace_id, survey_id, question_id, bucket, $2, count
     FROM json_to_recordset($1::json)
       AS n (workspace_id text, survey_id text, question_id text, bucket text, count bigint)
     ORDER BY workspace_id, survey_id, question_id, bucket
     ON CONFLICT (workspace_id, survey_id, question_id, bucket, shard) DO UPDATE SET count = c.count + excluded.count`,
    shard,
    [...counts],
  );
}

/** Counts which numbers were answered. */
export async function countNumbers(sql: Sql, shard: number, counts: Iterable<NumberCount>): Promise<void> {
  const changed = [...counts].filter(({ count }) => count !== 0);
  const counted = count(
    sql,
    `INSERT INTO number_counters AS c (workspace_id, survey_id, question_id, number, shard, count)
     SELECT workspace_id, survey_id, question_id, number, $2, count
     FROM json_to_recordset($1::json)
       AS n (workspace_id text, survey_id text, question_id text, number float8, count bigint)
     ORDER BY workspace_id, survey_id, question_id, number
     ON CONFLICT (workspace_id, survey_id, question_id, number, shard) DO UPDATE SET count = c.count + excluded.count`,
    shard,
    changed,
  );
  const lessened = changed.filter(({ count }) => count < 0);
  await Promise.all([counted, dropUncounted(sql, lessened)]);
}

/**
 * Deletes the rows of numbers nobody gives any more, so that finding the ends stays cheap. Rows that add up to nothing can
 * go whichever they are, so those another batch holds are left to a later one.
 */
async function dropUncounted(sql: Sql, numbers: readonly NumberCount[]): Promise<void> {
  if (numbers.length === 0) return;
  await sql.query(
    `WITH free AS (
       SELECT c.* FROM number_counters c
         JOIN json_to_recordset($1::json) AS n (workspace_id text, survey_id text, question_id text, number float8)
           USING (workspace_id, survey_id, question_id, number)
       FOR UPDATE OF c SKIP LOCKED),
     uncounted AS (
       SELECT workspace_id, survey_id, question_id, number, array_agg(shard) AS shards FROM free
       GROUP BY workspace_id, survey_id, question_id, number HAVING sum(count) = 0)
     DELETE FROM number_counters c USING uncounted u
     WHERE (c.workspace_id, c.survey_id, c.question_id, c.number)
         = (u.workspace_id, u.survey_id, u.question_id, u.number) AND c.shard = ANY(u.shards)`,
    [JSON.stringify(numbers)],
  );
}

// Rows are locked in key order by the ORDER BY of each statement: batches never wait for each other crosswise.
async function count(sql: Sql, statement: string, shard: number, rows: readonly object[]): Promise<void> {
  if (rows.length > 0) await sql.query(statement, [JSON.stringify(rows), shard]);
}
