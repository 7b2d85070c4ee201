import { isUniqueViolation, retryOnConflict, type Sql } from "@canvass/postgres";
import type { Delivery, Lease } from "./claimed-delivery.ts";
import { TAKES_DELIVERIES } from "./webhooks.ts";

export interface NewDelivery extends Delivery {
  eventType: string;
}

/** To begin deliveries with their insert. */
export interface Beginning extends Lease {
  /** The revision of each delivery's webhook, in order. If it has another one by now, the delivery is only queued. */
  revisions: readonly number[];
}

/**
 * Stores new deliveries as delivered (stored-status.ts). Writes the row of the queue last: if a pick holds its lock,
 * the due time is set after that pick; a later pick sees the deliveries. Uses no ON CONFLICT for deliveries: it would
 * write an extra WAL record for each. The ORDER BY of the known ones forces their unique index: on a young table the
 * primary key would read a whole history of a webhook.
 */
const CREATE = `
WITH new AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $10::text[], $11::int[])
    AS told (workspace_id, subscription_id, delivery_id, event_id, event_type, body, traceparent, revision)
), async_commit AS MATERIALIZED (
  SELECT CASE WHEN $8::text IS NOT NULL THEN set_config('synchronous_commit', 'off', true) END
), made AS (
  INSERT INTO deliveries
    (workspace_id, subscription_id, delivery_id, event_id, event_type, body, status, created_at, traceparent)
  SELECT workspace_id, subscription_id, delivery_id, event_id, event_type, body,
    'delivered', $7::timestamptz, new.traceparent
  FROM new, async_commit
  WHERE (
    SELECT known.sequence FROM deliveries known
    WHERE known.workspace_id = new.workspace_id AND known.event_id = new.event_id
      AND known.subscription_id = new.subscription_id AND known.sequence >= 0
    ORDER BY known.sequence LIMIT 1
  ) IS DISTINCT FROM 0
  RETURNING workspace_id, subscription_id, delivery_id
), judged AS MATERIALIZED (
  SELECT made.*, $8::text IS NOT NULL AND new.revision = (
    SELECT w.revision FROM webhooks w
    WHERE w.workspace_id = made.workspace_id AND w.subscription_id = made.subscription_id
  ) AND ${TAKES_DELIVERIES("made")} AS leased
  FROM made JOIN new USING (workspace_id, subscription_id, delivery_id)
), due AS (
  INSERT INTO due_deliveries
    (workspace_id, subscription_id, delivery_id, due_at, scheduled_at, attempts, lease_id, begun_at)
  SELECT workspace_id, subscription_id, delivery_id, CASE WHEN leased THEN $9::timestamptz ELSE $7::timestamptz END,
    $7::timestamptz, 0, CASE WHEN leased THEN $8::text END, CASE WHEN leased THEN $7::timestamptz END
  FROM judged
  RETURNING workspace_id, subscription_id, delivery_id, due_at, lease_id, ctid
), queued AS (
  INSERT INTO endpoint_queues AS q (workspace_id, subscription_id, next_due_at)
  SELECT workspace_id, subscription_id, min(due_at) FROM due GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (workspace_id, subscription_id) DO UPDATE SET next_due_at = excluded.next_due_at
    WHERE q.next_due_at IS NULL OR q.next_due_at > excluded.next_due_at
)
SELECT delivery_id AS "deliveryId", ctid::text AS "duePlace" FROM due WHERE lease_id IS NOT NULL`;

/**
 * Queues new deliveries, due at once; skips known ones. With `begin`, begins those whose webhook is unchanged, and
 * returns the ctids of their due rows by delivery id. That commit is asynchronous: call `untilDurable` before you
 * acknowledge the events.
 */
export async function insertDeliveries(
  sql: Sql,
  deliveries: readonly NewDelivery[],
  now: Date,
  begin?: Beginning,
): Promise<Map<string, string>> {
  const params = [
    deliveries.map(({ workspaceId }) => workspaceId),
    deliveries.map(({ subscriptionId }) => subscriptionId),
    deliveries.map(({ deliveryId }) => deliveryId),
    deliveries.map(({ eventId }) => eventId),
    deliveries.map(({ eventType }) => eventType),
    deliveries.map(({ body }) => body),
    now,
    begin?.leaseId ?? null,
    begin?.leaseUntil ?? null,
    deliveries.map(({ traceparent }) => traceparent),
    begin?.revisions ?? deliveries.map(() => 0),
  ];
  // Another replica may have committed some of them.
  const rows = await retryOnConflict(
    () => sql.query<{ deliveryId: string; duePlace: string }>(CREATE, params),
    isUniqueViolation,
  );
  return new Map(rows.map(({ deliveryId, duePlace }) => [deliveryId, duePlace]));
}

/** Resolves when all earlier commits are durable: a synchronous commit flushes the log up to its own position. */
export async function untilDurable(sql: Sql): Promise<void> {
  await sql.query("SELECT pg_logical_emit_message(true, 'canvass', '')");
}
