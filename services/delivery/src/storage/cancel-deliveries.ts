import type { Sql } from "@canvass/postgres";
import type { EndpointRef } from "./claimed-delivery.ts";

/** Skips deliveries with a live lease, unless it is $5. */
const CANCEL = `
WITH old AS (
  SELECT d.workspace_id, d.subscription_id, d.delivery_id
  FROM due_deliveries d
  JOIN deliveries x ON x.workspace_id = d.workspace_id AND x.subscription_id = d.subscription_id
    AND x.delivery_id = d.delivery_id
  WHERE d.workspace_id = $1 AND d.subscription_id = $2 AND x.created_at <= $3
    AND (d.lease_id IS NULL OR d.due_at <= $4 OR d.lease_id = $5)
  LIMIT $6 FOR UPDATE OF d SKIP LOCKED
), gone AS (
  DELETE FROM due_deliveries d USING old
  WHERE d.workspace_id = old.workspace_id AND d.subscription_id = old.subscription_id
    AND d.delivery_id = old.delivery_id
), cancelled AS (
  UPDATE deliveries x SET status = 'cancelled', cancelled_because = $7 FROM old
  WHERE x.workspace_id = old.workspace_id AND x.subscription_id = old.subscription_id
    AND x.delivery_id = old.delivery_id
)
SELECT count(*)::int4 AS count FROM old`;

const BATCH = 1000;

/** Causes: 410 from the receiver, a deleted webhook, a plan without webhooks, a resumption that came too late. */
export type CancelReason = "gone" | "deleted" | "plan" | "too_old";

export interface CancelOptions {
  because: CancelReason;
  /** Inclusive. */
  createdUntil: Date;
  now: Date;
  leaseId?: string;
}

export async function cancelDeliveries(
  sql: Sql,
  { workspaceId, subscriptionId }: EndpointRef,
  { because, createdUntil, now, leaseId = "" }: CancelOptions,
): Promise<void> {
  for (;;) {
    const params = [workspaceId, subscriptionId, createdUntil, now, leaseId, BATCH, because];
    const rows = await sql.query<{ count: number }>(CANCEL, params);
    if (rows[0]!.count < BATCH) return;
  }
}
