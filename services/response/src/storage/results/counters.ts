import { randomInt } from "node:crypto";
import type { NumberCount, QuestionCounts } from "../../domain/submissions/batch-changes.ts";
import { rowsAsJson, type Statement } from "@canvass/postgres";

/**
 * A counter is the sum of its shards, which are rows. A batch writes one of these, and its counterpart off the path, so
 * that concurrent batches seldom lock one row.
 */
const shards = 16;

export function pickShard(): number {
  return randomInt(shards);
}

/** SQL: offset of the shard. Answers off the path have shards of their own. All shards together count all answers. */
export const SHARD_OFFSET = `CASE WHEN off_path THEN ${shards} ELSE 0 END`;
export const IS_OFF_PATH = `shard >= ${shards}`;

/** Counters are read from shards below it. */
export function shardLimit(includeOffPath: boolean): number {
  return includeOffPath ? 2 * shards : shards;
}

const survey = { survey_id: "text" };

export interface CounterColumns {
  key: Record<string, string>;
  sums: Record<string, string>;
  /** Counts answers, with those off the path in separate shards. */
  byPath?: boolean;
}

export const counterTables = {
  survey_counters: {
    key: survey,
    sums: { started: "bigint", completed: "bigint", completion_milliseconds: "bigint", test_answers: "bigint" },
  },
  completion_slots: { key: { ...survey, starts_at: "timestamptz" }, sums: { completions: "bigint" } },
  question_counters: {
    key: { ...survey, question_id: "text" },
    sums: { responses: "bigint", respondents: "bigint", sum: "numeric" },
    byPath: true,
  },
  bucket_counters: { key: { ...survey, question_id: "text", bucket: "text" }, sums: { count: "bigint" }, byPath: true },
  number_counters: {
    key: { ...survey, question_id: "text", number: "float8" },
    sums: { count: "bigint" },
    byPath: true,
  },
  distributor_counters: {
    key: { distributor_id: "text", ...survey },
    sums: { started: "bigint", completed: "bigint" },
  },
  quota_counters: { key: { ...survey, quota_id: "text" }, sums: { completed: "bigint" } },
  start_days: { key: { starts_at: "timestamptz", country: "text" }, sums: { started: "bigint" } },
  activity_slots: { key: { starts_at: "timestamptz" }, sums: { respondents: "bigint" } },
} satisfies Record<string, CounterColumns>;

export type CounterTable = keyof typeof counterTables;

const upserts = Object.fromEntries(
  Object.entries<CounterColumns>(counterTables).map(([table, columns]) => [table, upsertInto(table, columns)]),
) as Record<CounterTable, string>;

// ORDER BY locks rows in key order, to avoid deadlocks.
function upsertInto(table: string, { key: ownKey, sums, byPath = false }: CounterColumns): string {
  const columns = Object.entries({ workspace_id: "text", ...ownKey, ...sums, ...(byPath && { off_path: "bool" }) });
  const key = ["workspace_id", ...Object.keys(ownKey)].join(", ");
  const summed = Object.keys(sums);
  return `INSERT INTO ${table} AS c (${key}, shard, ${summed.join(", ")})
    SELECT ${key}, $2::int${byPath ? ` + ${SHARD_OFFSET}` : ""} AS shard, ${summed.map((column) => `coalesce(${column}, 0)`).join(", ")}
    FROM json_to_recordset($1::json) AS n (${columns.map((column) => column.join(" ")).join(", ")})
    ORDER BY ${key}, shard
    ON CONFLICT (${key}, shard) DO UPDATE SET ${summed.map((column) => `${column} = c.${column} + excluded.${column}`).join(", ")}`;
}

/** A sum of billionths exceeds the exact range of JSON numbers. */
export function withTextSum({ sum, ...counts }: QuestionCounts) {
  return { ...counts, sum: sum.toString() };
}

export async function counterStatements(
  table: CounterTable,
  shard: number,
  counts: Iterable<object>,
): Promise<Statement[]> {
  const json = await rowsAsJson(counts);
  return json === "[]" ? [] : [{ text: upserts[table], params: [json, shard] }];
}

export async function numberStatements(shard: number, counts: Iterable<NumberCount>): Promise<Statement[]> {
  const changed = [...counts].filter(({ count }) => count !== 0);
  const lessened = await rowsAsJson(changed.filter(({ count }) => count < 0));
  const counted = await counterStatements("number_counters", shard, changed);
  return lessened === "[]" ? counted : [...counted, { text: DROP_UNCOUNTED, params: [lessened] }];
}

/** Deletes numbers without answers, so that finding the extremes stays cheap. Skips rows that other batches locked. */
export const DROP_UNCOUNTED = `WITH free AS (
     SELECT c.* FROM number_counters c
       JOIN json_to_recordset($1::json) AS n (workspace_id text, survey_id text, question_id text, number float8)
         USING (workspace_id, survey_id, question_id, number)
     FOR UPDATE OF c SKIP LOCKED),
   uncounted AS (
     SELECT workspace_id, survey_id, question_id, number, array_agg(shard) AS shards FROM free
     GROUP BY workspace_id, survey_id, question_id, number, ${IS_OFF_PATH} HAVING sum(count) = 0)
   DELETE FROM number_counters c USING uncounted u
   WHERE (c.workspace_id, c.survey_id, c.question_id, c.number)
       = (u.workspace_id, u.survey_id, u.question_id, u.number) AND c.shard = ANY(u.shards)`;
