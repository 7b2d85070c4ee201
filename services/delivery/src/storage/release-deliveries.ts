import type { Sql } from "@canvass/postgres";
import type { ClaimedDelivery } from "./claimed-delivery.ts";
import { LEASED } from "./leased-rows.ts";

const RELEASE = `
WITH mine AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $6::text[])
    AS m (workspace_id, subscription_id, delivery_id, lease_id, due_place)
), ${LEASED("mine")}, released AS (
  UPDATE due_deliveries d SET due_at = d.scheduled_at, lease_id = NULL, begun_at = NULL
  FROM leased
  WHERE d.ctid = leased.place
)
INSERT INTO endpoint_queues (workspace_id, subscription_id, next_due_at)
SELECT DISTINCT workspace_id, subscription_id, $5::timestamptz FROM mine ORDER BY 1, 2
ON CONFLICT (workspace_id, subscription_id) DO UPDATE SET next_due_at = excluded.next_due_at`;

/** Releases leases without counting an attempt. The endpoints rest until `retryAt` unless something new is queued. */
export async function releaseDeliveries(sql: Sql, claimed: readonly ClaimedDelivery[], retryAt: Date): Promise<void> {
  if (claimed.length === 0) return;
  await sql.query(RELEASE, [
    claimed.map(({ workspaceId }) => workspaceId),
    claimed.map(({ subscriptionId }) => subscriptionId),
    claimed.map(({ deliveryId }) => deliveryId),
    claimed.map(({ leaseId }) => leaseId),
    retryAt,
    claimed.map(({ duePlace }) => duePlace ?? null),
  ]);
}
