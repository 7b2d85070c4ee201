import type { Sql } from "@canvass/postgres";

export interface NewDelivery {
  workspaceId: string;
  subscriptionId: string;
  deliveryId: string;
  eventId: string;
  eventType: string;
  body: string;
}

/** Writes the queue's row last: a worker that holds it does not read before these are committed. */
const CREATE = `
WITH made AS (
  INSERT INTO deliveries
    (workspace_id, subscription_id, delivery_id, event_id, event_type, body, status, created_at)
  SELECT workspace_id, subscription_id, delivery_id, event_id, event_type, body, 'pending', $7::timestamptz
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
    AS new (workspace_id, subscription_id, delivery_id, event_id, event_type, body)
  ON CONFLICT (workspace_id, event_id, subscription_id, sequence) DO NOTHING
  RETURNING workspace_id, subscription_id, delivery_id
), due AS (
  INSERT INTO due_deliveries (workspace_id, subscription_id, delivery_id, due_at, scheduled_at, attempts)
  SELECT workspace_id, subscription_id, delivery_id, $7::timestamptz, $7::timestamptz, 0 FROM made
)
INSERT INTO endpoint_queues (workspace_id, subscription_id, next_due_at)
SELECT DISTINCT workspace_id, subscription_id, $7::timestamptz FROM made ORDER BY 1, 2
ON CONFLICT (workspace_id, subscription_id)
  DO UPDATE SET next_due_at = LEAST(endpoint_queues.next_due_at, excluded.next_due_at)`;

/** Queues deliveries, due at once, in one statement; skips known ones. */
export async function insertDeliveries(sql: Sql, deliveries: readonly NewDelivery[], now: Date): Promise<void> {
  await sql.query(CREATE, [
    deliveries.map(({ workspaceId }) => workspaceId),
    deliveries.map(({ subscriptionId }) => subscriptionId),
    deliveries.map(({ deliveryId }) => deliveryId),
    deliveries.map(({ eventId }) => eventId),
    deliveries.map(({ eventType }) => eventType),
    deliveries.map(({ body }) => body),
    now,
  ]);
}
