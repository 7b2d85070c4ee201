import { createLeaseQueue } from "@canvass/jobs";
import type { Sql } from "@canvass/postgres";
import type { DeliveryRange } from "./redeliver.ts";

export interface RangeRedelivery extends DeliveryRange {
  redeliveryId: string;
  requestedAt: Date;
}

export const rangeQueue = createLeaseQueue<RangeRedelivery>({
  table: "range_redeliveries",
  key: ["workspace_id", "redelivery_id"],
  columns: {
    subscriptionId: "subscription_id",
    status: "status",
    fromAt: "from_at",
    untilAt: "until_at",
    afterId: "after_id",
    requestedAt: "requested_at",
  },
});

const HALF_A_MINUTE_MS = 30_000;

export const repairRanges = (sql: Sql, now: Date): Promise<void> =>
  rangeQueue.repairDueTimes(sql, { now, leaseMs: HALF_A_MINUTE_MS, longestWaitMs: HALF_A_MINUTE_MS });

export async function insertRangeRedelivery(sql: Sql, range: RangeRedelivery): Promise<void> {
  const { workspaceId, redeliveryId, subscriptionId, status, fromAt, untilAt, afterId, requestedAt } = range;
  await sql.query(
    `INSERT INTO range_redeliveries
       (workspace_id, redelivery_id, subscription_id, status, from_at, until_at, after_id, requested_at, due_at)
     VALUES ($1, $2, $3, $4, $5::timestamptz, $6::timestamptz, $7, $8::timestamptz, $8::timestamptz)`,
    [workspaceId, redeliveryId, subscriptionId, status, fromAt, untilAt, afterId, requestedAt],
  );
}

/** Holds a lock until the transaction ends, so that no other transaction adds a range. */
export async function countOpenRanges(sql: Sql, workspaceId: string): Promise<number> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('ranges ' || $1, 0))::text AS locked`, [workspaceId]);
  const rows = await sql.query<{ count: number }>(
    `SELECT count(*)::int4 AS count FROM range_redeliveries WHERE workspace_id = $1 AND due_at IS NOT NULL`,
    [workspaceId],
  );
  return rows[0]!.count;
}

export async function countQueued(
  sql: Sql,
  { workspaceId, subscriptionId }: Pick<RangeRedelivery, "workspaceId" | "subscriptionId">,
  most: number,
): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `SELECT count(*)::int4 AS count FROM (
       SELECT 1 FROM due_deliveries WHERE workspace_id = $1 AND subscription_id = $2 LIMIT $3) counted`,
    [workspaceId, subscriptionId, most],
  );
  return rows[0]!.count;
}
