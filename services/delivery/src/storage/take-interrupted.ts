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

/** Attempts begin in the order of planned times, so interrupted ones are at the head of a queue. */
const HEAD = 200;

const TAKE = `
WITH async_commit AS MATERIALIZED (
  SELECT set_config('synchronous_commit', 'off', true)
), wanted AS (
  SELECT * FROM unnest($1::text[], $2::text[]) AS w (workspace_id, subscription_id)
), chosen AS (
  SELECT d.* FROM wanted p
  CROSS JOIN LATERAL (
    SELECT head.place, head.begun_at FROM (
      SELECT ctid AS place, begun_at FROM due_deliveries
      WHERE ${SCHEDULED_UNTIL("$3")} AND due_at <= $3
      ORDER BY scheduled_at LIMIT ${HEAD} FOR UPDATE SKIP LOCKED
    ) head
    WHERE head.begun_at IS NOT NULL
  ) d
), leased AS (
  UPDATE due_deliveries d SET due_at = $4, lease_id = $5
  FROM chosen, async_commit
  WHERE d.ctid = chosen.place
  RETURNING d.workspace_id, d.subscription_id, d.delivery_id, d.attempts, chosen.begun_at, d.ctid
)
${SELECT_CLAIMED()}`;

/** Leases attempts of dead workers, for endpoints that take nothing: they must be recorded, not sent. */
export async function takeInterrupted(
  sql: Sql,
  endpoints: readonly EndpointRef[],
  lease: Lease,
  now: Date,
): Promise<ClaimedDelivery[]> {
  const rows = await sql.query<ClaimedRow>(TAKE, [
    endpoints.map(({ workspaceId }) => workspaceId),
    endpoints.map(({ subscriptionId }) => subscriptionId),
    now,
    lease.leaseUntil,
    lease.leaseId,
  ]);
  return rows.map((row) => toClaimed(row, lease));
}
