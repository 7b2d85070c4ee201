import type { Sql } from "@canvass/postgres";
import { lastIdOf } from "../domain/redelivered-range.ts";
import type { EndpointRef } from "./claimed-delivery.ts";
import { DELIVERED, HAS_ENDED } from "./stored-status.ts";

/** Queues the rows of a CTE `made`, due at once. Writes the queue's row last, as in insert-deliveries.ts. */
const QUEUE = `
due AS (
  INSERT INTO due_deliveries (workspace_id, subscription_id, delivery_id, due_at, scheduled_at, attempts)
  SELECT workspace_id, subscription_id, delivery_id, created_at, created_at, 0 FROM made
), queued AS (
  INSERT INTO endpoint_queues (workspace_id, subscription_id, next_due_at)
  SELECT DISTINCT workspace_id, subscription_id, created_at FROM made
  ON CONFLICT (workspace_id, subscription_id)
    DO UPDATE SET next_due_at = LEAST(endpoint_queues.next_due_at, excluded.next_due_at)
)`;

const COLUMNS = `workspace_id, subscription_id, delivery_id, event_id, sequence, event_type, body, status, redelivery_of,
  created_at`;

/**
 * A unique index allows one pending redelivery per event and webhook. `max` uses an index even before the first
 * ANALYZE.
 */
const REDELIVER = `
WITH original AS (
  SELECT event_id, event_type, body FROM deliveries x
  WHERE workspace_id = $1 AND subscription_id = $2 AND delivery_id = $3 AND ${HAS_ENDED("x")}
), made AS (
  INSERT INTO deliveries (${COLUMNS}, traceparent)
  SELECT $1, $2, $4, event_id, 1 + (
      SELECT max(x.sequence) FROM deliveries x
      WHERE x.workspace_id = $1 AND x.event_id = original.event_id AND x.subscription_id = $2),
    event_type, body, 'pending', $3, $5::timestamptz, $6
  FROM original
  ON CONFLICT DO NOTHING
  RETURNING workspace_id, subscription_id, delivery_id, created_at, event_id, sequence
), passed AS (
  UPDATE deliveries x SET is_newest = false FROM made
  WHERE x.workspace_id = $1 AND x.event_id = made.event_id AND x.subscription_id = $2 AND x.sequence < made.sequence
), ${QUEUE}
SELECT count(*)::int4 AS made FROM made`;

export interface NewRedelivery extends EndpointRef {
  redeliveryOf: string;
  deliveryId: string;
  traceparent: string;
}

/** Returns false if the event is pending already or there is no ended delivery with the id. */
export async function insertRedelivery(
  sql: Sql,
  { workspaceId, subscriptionId, redeliveryOf, deliveryId, traceparent }: NewRedelivery,
  now: Date,
): Promise<boolean> {
  const rows = await sql.query<{ made: number }>(REDELIVER, [
    workspaceId,
    subscriptionId,
    redeliveryOf,
    deliveryId,
    now,
    traceparent,
  ]);
  return rows[0]!.made > 0;
}

export type RedeliveredStatus = "failed" | "delivered";

const BATCH = "delivery_id > $3 AND delivery_id < $4 ORDER BY delivery_id LIMIT $7::int";

/** A FROM item `x`: the rows that a range reads, by id. The status is inlined, so that its partial index applies. */
const rowsOf = (status: RedeliveredStatus) =>
  status === "delivered"
    ? DELIVERED(BATCH)
    : `(SELECT ctid AS at, * FROM deliveries
        WHERE workspace_id = $1 AND subscription_id = $2 AND status = '${status}' AND ${BATCH}) x`;

/** Selects the newest delivery of each event, if its shown creation (domain/shown-times.ts) is in the range. */
const IS_IN_RANGE = `
  CASE WHEN x.sequence = 0
    THEN coalesce(substring(x.body FROM '"completed_at":"(\\d{4}-\\d\\d-\\d\\d)"')::timestamptz, x.created_at)
    ELSE x.created_at END BETWEEN $5::timestamptz AND $6::timestamptz - interval '1 millisecond'
  AND x.is_newest AND ${HAS_ENDED("x")}`;

/** Finds the rows again by ctid, so that no plan depends on statistics. */
const batchOf = (status: RedeliveredStatus) => `
WITH batch AS MATERIALIZED (
  SELECT x.at, x.workspace_id, x.subscription_id, x.delivery_id, x.event_id, x.sequence, x.event_type, x.body, x.created_at, x.is_newest
  FROM ${rowsOf(status)}
), again AS (
  SELECT x.*, row_number() OVER (ORDER BY x.delivery_id) AS place FROM batch x WHERE ${IS_IN_RANGE}
), made AS (
  INSERT INTO deliveries (${COLUMNS})
  SELECT $1, $2, ($8::text[])[place], event_id, sequence + 1, event_type, body, 'pending', delivery_id, $9::timestamptz
  FROM again ORDER BY delivery_id
  ON CONFLICT DO NOTHING
  RETURNING workspace_id, subscription_id, delivery_id, created_at, redelivery_of
), passed AS (
  UPDATE deliveries x SET is_newest = false FROM again JOIN made ON made.redelivery_of = again.delivery_id
  WHERE x.ctid = again.at
), ${QUEUE}
SELECT (SELECT max(delivery_id) FROM batch) AS "lastId", (SELECT count(*)::int4 FROM batch) AS "read"`;

export interface DeliveryRange extends EndpointRef {
  status: RedeliveredStatus;
  fromAt: Date;
  untilAt: Date;
  afterId: string;
}

/**
 * Reads at most as many rows as there are `deliveryIds`, and queues redeliveries of those in the range. Returns the
 * last id and the number of rows that it read.
 */
export async function insertRedeliveries(
  sql: Sql,
  range: DeliveryRange,
  deliveryIds: readonly string[],
  now: Date,
): Promise<{ lastId: string | null; read: number }> {
  const params = [...boundsOf(range), deliveryIds.length, deliveryIds, now];
  const rows = await sql.query<{ lastId: string | null; read: number }>(batchOf(range.status), params);
  return rows[0]!;
}

/** Reads at most `most` rows. Returns how many of them would be redelivered, and how many it read. */
export async function countRedeliverable(
  sql: Sql,
  range: DeliveryRange,
  most: number,
): Promise<{ count: number; read: number }> {
  const rows = await sql.query<{ count: number; read: number }>(
    `SELECT count(*) FILTER (WHERE ${IS_IN_RANGE})::int4 AS count, count(*)::int4 AS read
     FROM (SELECT x.workspace_id, x.subscription_id, x.delivery_id, x.sequence, x.body, x.created_at, x.is_newest FROM ${rowsOf(range.status)}) x`,
    [...boundsOf(range), most],
  );
  return rows[0]!;
}

const boundsOf = ({ workspaceId, subscriptionId, fromAt, untilAt, afterId }: DeliveryRange): unknown[] => [
  workspaceId,
  subscriptionId,
  afterId,
  lastIdOf(untilAt),
  fromAt,
  untilAt,
];
