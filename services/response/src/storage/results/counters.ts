import { randomInt } from "node:crypto";
import type { NumberCount, QuestionCounts } from "../../domain/submissions/batch-changes.ts";
import { rowsAsJson } from "../rows-as-json.ts";
import type { Statement } from "@canvass/postgres";

/**
 * Rows a counter is spread over; they add up. A batch writes one shard, so concurrent batches seldom meet, and a reader
 * adds up at most this many rows.
 */
const shards = 16;

/** The shard a transaction counts in. */
export function pickShard(): number {
  return randomInt(shards);
}

const survey = { survey_id: "text" };

/** The counter tables: their key columns, beside workspace and shard, and the columns that are summed. */
export const counterTables = {
  survey_counters: {
    key: survey,
    sums: { started: "bigint", completed: "bigint", completion_milliseconds: "bigint", test_answers: "bigint" },
  },
  completion_slots: { key: { ...survey, starts_at: "timestamptz" }, sums: { completions: "bigint" } },
  question_counters: {
    key: { ...survey, question_id: "text" },
    sums: { responses: "bigint", respondents: "bigint", sum: "numeric" },
  },
  bucket_counters: { key: { ...survey, question_id: "text", bucket: "text" }, sums: { count: "bigint" } },
  number_counters: { key: { ...survey, question_id: "text", number: "float8" }, sums: { count: "bigint" } },
  distributor_counters: {
    key: { distributor_id: "text", ...survey },
    sums: { started: "bigint", completed: "bigint" },
  },
  start_days: { key: { starts_at: "timestamptz", country: "text" }, sums: { started: "bigint" } },
  activity_slots: { key: { starts_at: "timestamptz" }, sums: { respondents: "bigint" } },
};

export type CounterTable = keyof typeof counterTables;

const upserts = Object.fromEntries(
  Object.entries(counterTables).map(([table, { key, sums }]) => [table, upsertInto(table, key, sums)]),
) as Record<CounterTable, string>;

// ORDER BY locks rows in key order, so that batches never deadlock.
function upsertInto(table: string, ownKey: Record<string, string>, sums: Record<string, string>): string {
  const columns = Object.entries({ workspace_id: "text", ...ownKey, ...sums });
  const key = ["workspace_id", ...Object.keys(ownKey)].join(", ");
  const summed = Object.keys(sums);
  return `INSERT INTO ${table} AS c (${key}, shard, ${summed.join(", ")})
    SELECT ${key}, $2, ${summed.map((column) => `coalesce(${column}, 0)`).join(", ")}
    FROM json_to_recordset($1::json) AS n (${columns.map((column) => column.join(" ")).join(", ")})
    ORDER BY ${key}
    ON CONFLICT (${key}, shard) DO UPDATE SET ${summed.map((column) => `${column} = c.${column} + excluded.${column}`).join(", ")}`;
}

/** A sum of billionths is wider than a JSON number is exact. */
export function withTextSum({ sum, ...counts }: QuestionCounts) {
  return { ...counts, sum: sum.toString() };
}

/** Adds rows to the counters of a table; a column that a row lacks is 0. */
export async function counterStatements(
  table: CounterTable,
  shard: number,
  counts: Iterable<object>,
): Promise<Statement[]> {
  const json = await rowsAsJson(counts);
  return json === "[]" ? [] : [{ text: upserts[table], params: [json, shard] }];
}

/** Counts which numbers were answered, and deletes those no answer has. */
export async function numberStatements(shard: number, counts: Iterable<NumberCount>): Promise<Statement[]> {
  const changed = [...counts].filter(({ count }) => count !== 0);
  const lessened = await rowsAsJson(changed.filter(({ count }) => count < 0));
  const counted = await counterStatements("number_counters", shard, changed);
  return lessened === "[]" ? counted : [...counted, { text: dropUncounted, params: [lessened] }];
}

/**
 * Deletes the rows of numbers that no answer has, so that finding both ends stays cheap. Rows another batch holds are
 * left to a later one.
 */
export const dropUncounted = `WITH free AS (
     SELECT c.* FROM number_counters c
       JOIN json_to_recordset($1::json) AS n (workspace_id text, survey_id text, question_id text, number float8)
         USING (workspace_id, survey_id, question_id, number)
     FOR UPDATE OF c SKIP LOCKED),
   uncounted AS (
     SELECT workspace_id, survey_id, question_id, number, array_agg(shard) AS shards FROM free
     GROUP BY workspace_id, survey_id, question_id, number HAVING sum(count) = 0)
   DELETE FROM number_counters c USING uncounted u
   WHERE (c.workspace_id, c.survey_id, c.question_id, c.number)
       = (u.workspace_id, u.survey_id, u.question_id, u.number) AND c.shard = ANY(u.shards)`;
