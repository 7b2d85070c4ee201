import { inTransaction, type Sql } from "@canvass/postgres";
import type { Pool } from "pg";
import { withShownTimes } from "../domain/shown-times.ts";
import { attemptsByDelivery, type StoredDelivery } from "./find-deliveries.ts";
import { STATUS_OF } from "./stored-status.ts";

export interface EventDelivery extends StoredDelivery {
  subscriptionId: string;
  cancelledBecause: string;
  body: string;
}

/** Steps from webhook to webhook on the unique index, so that many deliveries of one webhook cost nothing. */
const FIND = `
WITH RECURSIVE webhooks AS (
  (SELECT subscription_id FROM deliveries WHERE workspace_id = $1 AND event_id = $2 ORDER BY subscription_id LIMIT 1)
  UNION ALL
  SELECT (SELECT x.subscription_id FROM deliveries x
    WHERE x.workspace_id = $1 AND x.event_id = $2 AND x.subscription_id > webhooks.subscription_id
    ORDER BY x.subscription_id LIMIT 1)
  FROM webhooks WHERE webhooks.subscription_id IS NOT NULL
), chosen AS (
  SELECT subscription_id FROM webhooks WHERE subscription_id IS NOT NULL LIMIT $3
)
SELECT x.subscription_id AS "subscriptionId", x.delivery_id AS "deliveryId", x.event_id AS "eventId",
  x.event_type AS "eventType", ${STATUS_OF("x", "d")} AS status, x.created_at AS "createdAt", x.redelivery_of AS "redeliveryOf",
  x.cancelled_because AS "cancelledBecause", x.body, d.scheduled_at AS "nextAttemptAt"
FROM chosen CROSS JOIN LATERAL (
  SELECT * FROM deliveries newest
  WHERE newest.workspace_id = $1 AND newest.event_id = $2 AND newest.subscription_id = chosen.subscription_id
  ORDER BY newest.sequence DESC LIMIT $4
) x
LEFT JOIN due_deliveries d ON d.workspace_id = $1 AND d.subscription_id = x.subscription_id
  AND d.delivery_id = x.delivery_id
ORDER BY x.subscription_id, x.sequence DESC`;

export interface EventDeliveriesPage {
  workspaceId: string;
  eventId: string;
  maxWebhooks: number;
  maxOfEach: number;
}

/** Ordered by webhook, the newest deliveries of each first. */
export function findEventDeliveries(pool: Pool, page: EventDeliveriesPage): Promise<EventDelivery[]> {
  return inTransaction(pool, (sql) => read(sql, page), { isolation: "repeatable read" });
}

async function read(sql: Sql, { workspaceId, eventId, maxWebhooks, maxOfEach }: EventDeliveriesPage) {
  const params = [workspaceId, eventId, maxWebhooks, maxOfEach];
  const found = await sql.query<Omit<EventDelivery, "attempts">>(FIND, params);
  const attempts = await attemptsByDelivery(sql, workspaceId, found);
  return found.map((delivery) =>
    withShownTimes({ ...delivery, attempts: attempts.get(delivery.deliveryId) ?? [] }, delivery.body),
  );
}
