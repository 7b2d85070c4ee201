import type { DeliveryStatus } from "@canvass/inputs";
import { inTransaction, type Sql } from "@canvass/postgres";
import type { Pool } from "pg";
import { withShownTimes } from "../domain/shown-times.ts";
import type { EndpointRef } from "./claimed-delivery.ts";
import { DELIVERED, STATUS_OF } from "./stored-status.ts";

export interface StoredAttempt {
  deliveryId: string;
  number: number;
  attemptedAt: Date;
  durationMs: number;
  outcome: string;
  statusCode: number | null;
  responseBody: string;
  reason: string | null;
}

export interface StoredDelivery {
  deliveryId: string;
  eventId: string;
  eventType: string;
  status: string;
  createdAt: Date;
  redeliveryOf: string;
  nextAttemptAt: Date | null;
  attempts: StoredAttempt[];
}

export interface DeliveryPage extends EndpointRef {
  status: DeliveryStatus | undefined;
  before: string | undefined;
  limit: number;
}

const COLUMNS = (status: string, nextAttemptAt: string) => `
SELECT x.delivery_id AS "deliveryId", x.event_id AS "eventId", x.event_type AS "eventType",
  ${status} AS status, x.body, x.created_at AS "createdAt", x.redelivery_of AS "redeliveryOf", ${nextAttemptAt} AS "nextAttemptAt"`;

const SELECT = `${COLUMNS(STATUS_OF("x", "d"), "d.scheduled_at")}
FROM deliveries x
LEFT JOIN due_deliveries d ON d.workspace_id = x.workspace_id AND d.subscription_id = x.subscription_id
  AND d.delivery_id = x.delivery_id
WHERE x.workspace_id = $1 AND x.subscription_id = $2`;

/** Sorts after every id: ids are lower-case letters and digits. */
const NEWEST = "z".repeat(17);

export interface DeliveryRef extends EndpointRef {
  deliveryId: string;
}

export async function findDelivery(
  sql: Sql,
  { workspaceId, subscriptionId, deliveryId }: DeliveryRef,
): Promise<Omit<StoredDelivery, "attempts"> | undefined> {
  const rows = await sql.query<Omit<StoredDelivery, "attempts">>(`${SELECT} AND x.delivery_id = $3`, [
    workspaceId,
    subscriptionId,
    deliveryId,
  ]);
  return rows[0];
}

/** Newest first: ids are ordered by time, with full anonymity by day. Both queries see the same snapshot. */
export function findDeliveries(pool: Pool, page: DeliveryPage): Promise<StoredDelivery[]> {
  return inTransaction(pool, (sql) => readPage(sql, page), { isolation: "repeatable read" });
}

/** Inlines the status for its partial index. Finds pending deliveries by due row, delivered ones by attempt. */
export function pageSql(status: DeliveryStatus | undefined): string {
  if (status === "delivered")
    return `${COLUMNS("x.status", "NULL::timestamptz")}
      FROM ${DELIVERED("delivery_id < $3 ORDER BY delivery_id DESC LIMIT $4")} ORDER BY x.delivery_id DESC`;
  if (status === "pending")
    return `${SELECT} AND d.workspace_id = $1 AND d.subscription_id = $2 AND d.delivery_id < $3
      ORDER BY d.delivery_id DESC LIMIT $4`;
  const ended = status === undefined ? "" : ` AND x.status = '${status}' AND d.delivery_id IS NULL`;
  return `${SELECT}${ended} AND x.delivery_id < $3 ORDER BY x.delivery_id DESC LIMIT $4`;
}

async function readPage(sql: Sql, page: DeliveryPage): Promise<StoredDelivery[]> {
  const { workspaceId, subscriptionId, status, before = NEWEST, limit } = page;
  const deliveries = await sql.query<Omit<StoredDelivery, "attempts"> & { body: string }>(pageSql(status), [
    workspaceId,
    subscriptionId,
    before,
    limit,
  ]);
  const listed = deliveries.map(({ deliveryId }) => ({ subscriptionId, deliveryId }));
  const attempts = await attemptsByDelivery(sql, workspaceId, listed);
  return deliveries.map(({ body, ...delivery }) =>
    withShownTimes({ ...delivery, attempts: attempts.get(delivery.deliveryId) ?? [] }, body),
  );
}

/** Returns the attempts of each delivery id, in their order. */
export async function attemptsByDelivery(
  sql: Sql,
  workspaceId: string,
  deliveries: readonly Pick<DeliveryRef, "subscriptionId" | "deliveryId">[],
): Promise<Map<string, StoredAttempt[]>> {
  const rows = await sql.query<StoredAttempt>(
    `SELECT a.delivery_id AS "deliveryId", a.number, a.attempted_at AS "attemptedAt", a.duration_ms AS "durationMs",
       a.outcome, a.status_code AS "statusCode", a.response_body AS "responseBody", a.reason
     FROM unnest($2::text[], $3::text[]) AS asked (subscription_id, delivery_id)
     JOIN attempts a ON a.workspace_id = $1 AND a.subscription_id = asked.subscription_id
       AND a.delivery_id = asked.delivery_id
     ORDER BY a.number`,
    [
      workspaceId,
      deliveries.map(({ subscriptionId }) => subscriptionId),
      deliveries.map(({ deliveryId }) => deliveryId),
    ],
  );
  return Map.groupBy(rows, ({ deliveryId }) => deliveryId);
}
