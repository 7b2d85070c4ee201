import type { Sql } from "@canvass/postgres";
import type { EndpointRef } from "./claimed-delivery.ts";
import { ONE_BY_KEY } from "./one-by-key.ts";
import { IS_KNOWN } from "./webhooks.ts";

/** Skips deliveries with a live lease. Finds rows by keys and ctids, even with stale statistics. */
const CANCEL = `
WITH chosen AS MATERIALIZED (
  SELECT d.ctid AS due_place, x.place
  FROM due_deliveries d CROSS JOIN LATERAL (
    SELECT ctid AS place, created_at FROM deliveries
    WHERE workspace_id = d.workspace_id AND subscription_id = d.subscription_id AND ${ONE_BY_KEY("d.delivery_id")}
  ) x
  WHERE d.workspace_id = $1 AND d.subscription_id = $2 AND x.created_at <= $3
    AND (d.lease_id IS NULL OR d.due_at <= $4)
    AND ($7::int4 = 0 OR ${IS_KNOWN("$1")} AND NOT EXISTS (
      SELECT FROM webhooks w WHERE w.workspace_id = $1 AND w.subscription_id = $2 AND w.destination_revision > $7))
  LIMIT $5 FOR UPDATE OF d SKIP LOCKED
), unqueued AS (
  DELETE FROM due_deliveries d USING chosen WHERE d.ctid = chosen.due_place
), cancelled AS (
  UPDATE deliveries x SET status = 'cancelled', cancelled_because = $6 FROM chosen WHERE x.ctid = chosen.place
)
SELECT count(*)::int4 AS count FROM chosen`;

const BATCH = 1000;

/** Causes: 410 from the receiver, a deleted webhook, a plan without webhooks, a resumption that came too late. */
export type CancelReason = "gone" | "deleted" | "plan" | "too_old";

export interface CancelOptions {
  because: CancelReason;
  /** Inclusive. */
  createdUntil: Date;
  now: Date;
  /** Cancels nothing if the webhook has a later one, or may have. 0: whatever it has. */
  destinationRevision?: number;
}

export async function cancelDeliveries(sql: Sql, endpoint: EndpointRef, options: CancelOptions): Promise<void> {
  while (await cancelSome(sql, endpoint, options));
}

/** Cancels a batch. Returns whether there may be more. */
export async function cancelSome(
  sql: Sql,
  { workspaceId, subscriptionId }: EndpointRef,
  { because, createdUntil, now, destinationRevision = 0 }: CancelOptions,
): Promise<boolean> {
  const params = [workspaceId, subscriptionId, createdUntil, now, BATCH, because, destinationRevision];
  const rows = await sql.query<{ count: number }>(CANCEL, params);
  return rows[0]!.count === BATCH;
}
