import { rowsAsJson, type Sql } from "@canvass/postgres";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import {
  counterTables,
  DROP_UNCOUNTED,
  IS_OFF_PATH,
  SHARD_OFFSET,
  pickShard,
  type CounterColumns,
  type CounterTable,
} from "./counters.ts";

// Recounts use temporary tables instead of memory: a numeric question may have as many numbers as answers.

/** Counters of surveys. The others hold current activity, which is deleted within days. */
const allTables = (Object.keys(counterTables) as CounterTable[]).filter(
  (table) => "survey_id" in counterTables[table].key,
);

function columnsOf(table: CounterTable): {
  key: Record<string, string>;
  sums: string[];
  types: Record<string, string>;
} {
  const { key, sums, byPath = false } = counterTables[table] as CounterColumns;
  return { key: { ...key, ...(byPath && { off_path: "bool" }) }, sums: Object.keys(sums), types: sums };
}

/** The counters' own rows encode in the shard whether answers are off the path. */
const keyInCounter = ({ off_path: isByPath, ...key }: Record<string, string>) => ({
  columns: Object.keys(key),
  selected: [...Object.keys(key), ...(isByPath ? [`${IS_OFF_PATH} AS off_path`] : [])].join(", "),
  shard: `$4::int${isByPath ? ` + ${SHARD_OFFSET}` : ""} AS shard`,
});

const declared = (columns: Record<string, string>) => Object.entries(columns).map((column) => column.join(" "));

/** Creates the tables. Those of recounted sums end with the transaction, those of differences with the session. */
export async function createRecountTables(sql: Sql): Promise<void> {
  for (const table of allTables) {
    const { key, sums } = columnsOf(table);
    const counted = declared({ ...key, ...Object.fromEntries(sums.map((sum) => [sum, "numeric"])) });
    const compared = sums.flatMap((sum) => [`standing_${sum} numeric`, `counted_${sum} numeric`]);
    await sql.query(`CREATE TEMP TABLE standing_${table} (${counted.join(", ")}) ON COMMIT DROP`);
    await sql.query(`CREATE TEMP TABLE differing_${table} (place int8, ${[...declared(key), ...compared].join(", ")})`);
  }
}

/** Adds recounted sums to those of earlier calls. */
export async function addRecounted(sql: Sql, table: CounterTable, rows: Iterable<object>): Promise<void> {
  const json = await rowsAsJson(rows);
  if (json === "[]") return;
  const { key, sums, types } = columnsOf(table);
  await sql.query(
    `INSERT INTO standing_${table} (${[...Object.keys(key), ...sums].join(", ")})
     SELECT ${[...Object.keys(key), ...sums.map((sum) => `coalesce(${sum}, 0)`)].join(", ")}
     FROM json_to_recordset($1::json) AS n (${declared({ ...key, ...types }).join(", ")})`,
    [json],
  );
}

/** Accepts the counted completion time, because exact times under full anonymity are not stored. */
export async function trustCompletionTime(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<void> {
  await sql.query(
    `INSERT INTO standing_survey_counters (survey_id, started, completed, completion_milliseconds, test_answers)
     SELECT $2::text, 0, 0, coalesce(sum(completion_milliseconds), 0)
       - (SELECT coalesce(sum(completion_milliseconds), 0) FROM standing_survey_counters), 0
     FROM survey_counters WHERE workspace_id = $1 AND survey_id = $2`,
    [workspaceId, surveyId],
  );
}

/** Compares the recounted sums with the counters, stores the rows that differ, and returns their numbers. */
export async function storeDifferences(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<Differing[]> {
  const differing: Differing[] = [];
  for (const table of allTables) {
    const { key: keyColumns, sums } = columnsOf(table);
    const key = Object.keys(keyColumns).join(", ");
    const none = sums.map(() => "0").join(", ");
    const standing = sums.map((sum) => `${sum} AS standing_${sum}`).join(", ");
    const counted = sums.map((sum) => `0 AS counted_${sum}`).join(", ");
    const sides = ["standing", "counted"];
    const compared = sums.flatMap((sum) => sides.map((side) => `sum(${side}_${sum}) AS ${side}_${sum}`));
    const [row] = await sql.query<{ rows: string }>(
      `WITH differing AS (
         INSERT INTO differing_${table} (place, ${key}, ${sums.flatMap((sum) => sides.map((side) => `${side}_${sum}`)).join(", ")})
         SELECT row_number() OVER (ORDER BY ${key}), * FROM (
           SELECT ${key}, ${compared.join(", ")} FROM (
             SELECT ${key}, ${standing}, ${counted} FROM standing_${table}
             UNION ALL SELECT ${keyInCounter(keyColumns).selected}, ${none}, ${sums.join(", ")} FROM ${table} WHERE workspace_id = $1 AND survey_id = $2) AS b
           GROUP BY ${key}
           HAVING ${sums.map((sum) => `sum(standing_${sum}) <> sum(counted_${sum})`).join(" OR ")}) AS d
         RETURNING 1)
       SELECT count(*) AS rows FROM differing`,
      [workspaceId, surveyId],
    );
    differing.push({ table, rows: Number(row!.rows) });
  }
  return differing;
}

export interface Differing {
  table: CounterTable;
  rows: number;
}

/** A row of counters: its key, and for each column `standing_*` and `counted_*` as text. */
export type DifferingRow = {
  question_id?: string;
  bucket?: string;
  quota_id?: string;
  number?: number;
  starts_at?: Date;
  off_path?: boolean;
} & Record<`standing_${string}` | `counted_${string}`, string>;

export function readDifferences(sql: Sql, table: CounterTable, after: number, limit: number): Promise<DifferingRow[]> {
  return sql.query<DifferingRow>(
    `SELECT * FROM differing_${table} WHERE place > $1 AND place <= $1 + $2::int8 ORDER BY place`,
    [after, limit],
  );
}

/** Adds what the counters lacked in the snapshot. Counters are sums, so concurrent additions stay right. */
export async function mendCounters(
  sql: Sql,
  table: CounterTable,
  { workspaceId }: SurveyRef,
  after: number,
  limit: number,
): Promise<void> {
  const { key: keyColumns, sums } = columnsOf(table);
  const { columns, shard } = keyInCounter(keyColumns);
  const key = columns.join(", ");
  const chunk = `FROM differing_${table} WHERE place > $1 AND place <= $1 + $2::int8`;
  await sql.query(
    `INSERT INTO ${table} AS c (workspace_id, ${key}, shard, ${sums.join(", ")})
     SELECT $3, ${key}, ${shard}, ${sums.map((sum) => `standing_${sum} - counted_${sum}`).join(", ")} ${chunk} ORDER BY ${key}, shard
     ON CONFLICT (workspace_id, ${key}, shard)
       DO UPDATE SET ${sums.map((sum) => `${sum} = c.${sum} + excluded.${sum}`).join(", ")}`,
    [after, limit, workspaceId, pickShard()],
  );
  if (table !== "number_counters") return;
  const rows = `SELECT coalesce(json_agg(n), '[]') AS rows
    FROM (SELECT $3::text AS workspace_id, survey_id, question_id, number ${chunk}) AS n`;
  const [given] = await sql.query<{ rows: unknown }>(rows, [after, limit, workspaceId]);
  await sql.query(DROP_UNCOUNTED, [JSON.stringify(given!.rows)]);
}
