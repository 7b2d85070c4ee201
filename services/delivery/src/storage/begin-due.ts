import type { Sql } from "@canvass/postgres";
import {
  SCHEDULED_UNTIL,
  SELECT_CLAIMED,
  toClaimed,
  type ClaimedDelivery,
  type ClaimedRow,
  type EndpointRef,
  type Lease,
} from "./claimed-delivery.ts";
import { TAKES_DELIVERIES } from "./webhooks.ts";

export interface DueEndpoint extends EndpointRef {
  count: number;
  /** Ignores deliveries planned earlier, so that the scan does not pass rows of a long queue that were just sent. */
  plannedFrom: Date;
}

/**
 * Leaves `endpoint_queues.next_due_at` to the next pick: a value that is too early costs a pick, a late one would
 * delay deliveries. The commit does not wait for the disk: if a crash loses it, the attempt is sent again.
 */
const BEGIN = `
WITH async_commit AS MATERIALIZED (
  SELECT set_config('synchronous_commit', 'off', true)
), wanted AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $7::timestamptz[])
    AS w (workspace_id, subscription_id, count, planned_from)
), chosen AS (
  SELECT d.* FROM wanted p
  CROSS JOIN LATERAL (
    SELECT ctid AS place, begun_at FROM due_deliveries
    WHERE ${SCHEDULED_UNTIL("$4")} AND scheduled_at >= p.planned_from AND due_at <= $4
    ORDER BY scheduled_at LIMIT p.count FOR UPDATE SKIP LOCKED
  ) d
  WHERE ${TAKES_DELIVERIES("p")}
), leased AS (
  UPDATE due_deliveries d
  SET due_at = $5, lease_id = $6, begun_at = coalesce(chosen.begun_at, $4)
  FROM chosen, async_commit
  WHERE d.ctid = chosen.place
  RETURNING d.workspace_id, d.subscription_id, d.delivery_id, d.attempts, d.scheduled_at, chosen.begun_at, d.ctid
)
${SELECT_CLAIMED(`, (extract(epoch FROM leased.scheduled_at) * 1000)::float8 AS "plannedAt"`)}`;

export interface BegunDelivery extends ClaimedDelivery {
  /** Milliseconds since 1970. */
  plannedAt: number;
}

/**
 * Leases the next deliveries of queues whose webhooks take deliveries, and stores when their attempts began. One with
 * `interruptedAt` must be recorded, not sent.
 */
export async function beginDue(
  sql: Sql,
  endpoints: readonly DueEndpoint[],
  lease: Lease,
  now: Date,
): Promise<BegunDelivery[]> {
  const rows = await sql.query<ClaimedRow & { plannedAt: number }>(BEGIN, [
    endpoints.map(({ workspaceId }) => workspaceId),
    endpoints.map(({ subscriptionId }) => subscriptionId),
    endpoints.map(({ count }) => count),
    now,
    lease.leaseUntil,
    lease.leaseId,
    endpoints.map(({ plannedFrom }) => plannedFrom),
  ]);
  return rows.map((row) => toClaimed(row, lease));
}
