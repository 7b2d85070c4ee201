import type { Sql } from "@canvass/postgres";
import { newId } from "@canvass/values";

/** The table has `due_at` (timestamptz; null: done), `lease_id` (text), `attempts` (int), and an index on `due_at`. */
export interface LeaseQueueOptions {
  table: string;
  key: readonly string[];
  /** More columns for the worker, by property name. */
  columns: Readonly<Record<string, string>>;
}

export interface Lease {
  leaseId: string;
  /** Attempts started, including this one and those of lost workers. */
  attempts: number;
}

/** Allowed values by column. */
export type Only = Readonly<Record<string, readonly string[]>>;

export interface ClaimOptions {
  now: Date;
  leaseMs: number;
  limit: number;
  only?: Only;
  /** Column of the owner, for round robin. A claim then takes one row, of an owner without a leased row. */
  roundRobinBy?: string | undefined;
}

export interface LeaseQueue<Row> {
  claim(sql: Sql, options: ClaimOptions): Promise<(Row & Lease)[]>;
  /** Returns false if the lease is lost. */
  extend(sql: Sql, row: Row & Lease, until: Date): Promise<boolean>;
  /** Sets columns and ends the lease; false if it is lost. `due_at` null means done, a time means retry. */
  settle(sql: Sql, row: Row & Lease, values: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** Earliest due time or lease end, after `after`; undefined if there is none. Takes the same `only` as `claim`. */
  nextDue(sql: Sql, only?: Only, after?: Date): Promise<Date | undefined>;
  /** After the clock was set back: rows due later than any lease or wait allows become due after one lease. */
  repairDueTimes(sql: Sql, options: RepairOptions): Promise<void>;
}

export interface RepairOptions {
  now: Date;
  leaseMs: number;
  longestWaitMs: number;
}

/** Table and column names go into the SQL unescaped. */
export function createLeaseQueue<Row extends object>({ table, key, columns }: LeaseQueueOptions): LeaseQueue<Row> {
  const keyProperties = Object.fromEntries(key.map((column) => [column, camelCase(column)]));
  const shown = { ...Object.fromEntries(key.map((column) => [keyProperties[column]!, column])), ...columns };
  const returned = Object.entries({ ...shown, leaseId: "lease_id", attempts: "attempts" })
    .map(([property, column]) => `q.${column} AS "${property}"`)
    .join(", ");
  const keyList = key.join(", ");
  const orderOf = (row: string): string => `(${["due_at", ...key].map((column) => `${row}.${column}`).join(", ")})`;
  const joined = key.map((column) => `q.${column} = due.${column}`).join(" AND ");
  const held = [...key, "lease_id"].map((column, index) => `${column} = $${index + 1}`).join(" AND ");
  const heldValues = (row: Row & Lease): unknown[] => [
    ...key.map((column) => (row as Record<string, unknown>)[keyProperties[column]!]),
    row.leaseId,
  ];

  async function update(sql: Sql, row: Row & Lease, assignments: string[], values: unknown[]): Promise<boolean> {
    const statement = `UPDATE ${table} SET ${assignments.join(", ")} WHERE ${held} RETURNING 1 AS held`;
    return (await sql.query(statement, [...heldValues(row), ...values])).length === 1;
  }

  /** Moves the owner's other due rows one millisecond behind all rows that are due now. */
  async function queueBehind(sql: Sql, { now, only, roundRobinBy, row }: BehindOptions<Row>): Promise<void> {
    await sql.query(
      `UPDATE ${table} SET due_at = $1::timestamptz + interval '1 millisecond'
       WHERE ${roundRobinBy} = $2 AND lease_id IS NULL AND due_at <= $1::timestamptz${conditions(only, 3)}`,
      [now, (row as Record<string, unknown>)[camelCase(roundRobinBy)], ...Object.values(only)],
    );
  }

  return {
    async claim(sql, { now, leaseMs, limit, only = {}, roundRobinBy }) {
      // Only the first due row of each owner: two claims at once compete for one row instead of taking one each.
      const free = roundRobinBy
        ? ` AND NOT EXISTS (SELECT FROM ${table} other WHERE other.${roundRobinBy} = candidate.${roundRobinBy}
             AND CASE WHEN other.due_at > $1::timestamptz THEN other.lease_id IS NOT NULL
               ELSE ${orderOf("other")} < ${orderOf("candidate")} END${conditions(only, 5)})`
        : "";
      const claimed = await sql.query<Row & Lease>(
        `WITH due AS MATERIALIZED (
           SELECT ${keyList} FROM ${table} candidate
           WHERE due_at <= $1::timestamptz${conditions(only, 5)}${free}
           ORDER BY due_at, ${keyList} LIMIT $2::int FOR UPDATE SKIP LOCKED)
         UPDATE ${table} q SET due_at = $3::timestamptz, lease_id = $4, attempts = attempts + 1 FROM due
         WHERE ${joined} RETURNING ${returned}`,
        [now, roundRobinBy ? 1 : limit, new Date(now.getTime() + leaseMs), newId(now), ...Object.values(only)],
      );
      const [row] = claimed;
      if (roundRobinBy && row) await queueBehind(sql, { now, only, roundRobinBy, row });
      return claimed;
    },
    extend: (sql, row, until) => update(sql, row, [`due_at = $${key.length + 2}::timestamptz`], [until]),
    settle(sql, row, values) {
      const names = Object.keys(values);
      const assignments = names.map(
        (column, index) => `${column} = $${key.length + 2 + index}${castOf(values[column])}`,
      );
      return update(sql, row, [...assignments, "lease_id = NULL"], Object.values(values));
    },
    async nextDue(sql, only = {}, after) {
      const later = after ? "due_at > $1::timestamptz" : "due_at IS NOT NULL AND $1::timestamptz IS NULL";
      const statement = `SELECT min(due_at) AS at FROM ${table} WHERE ${later}${conditions(only, 2)}`;
      const [row] = await sql.query<{ at: Date | null }>(statement, [after ?? null, ...Object.values(only)]);
      return row?.at ?? undefined;
    },
    async repairDueTimes(sql, { now, leaseMs, longestWaitMs }) {
      await sql.query(
        `UPDATE ${table} SET due_at = $1::timestamptz WHERE due_at > CASE
           WHEN lease_id IS NOT NULL OR attempts = 0 THEN $1::timestamptz ELSE $2::timestamptz END`,
        [new Date(now.getTime() + leaseMs), new Date(now.getTime() + longestWaitMs)],
      );
    },
  };
}

interface BehindOptions<Row> {
  now: Date;
  only: Only;
  roundRobinBy: string;
  row: Row;
}

const conditions = (only: Only, firstParameter: number): string =>
  Object.keys(only)
    .map((column, index) => ` AND ${column} = ANY($${firstParameter + index}::text[])`)
    .join("");

const camelCase = (column: string): string => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Both database adapters send a Date as text, so it needs a cast. */
function castOf(value: unknown): string {
  return value instanceof Date ? "::timestamptz" : "";
}
