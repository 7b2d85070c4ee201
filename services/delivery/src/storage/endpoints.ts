import { inTransaction, type Sql } from "@canvass/postgres";
import type { Pool } from "pg";
import type { EndpointRef } from "./claimed-delivery.ts";

/**
 * Makes the endpoint due at once if it has anything queued. If a worker picked it before, the `holdEndpoints` of that
 * pick leaves it due.
 */
export async function wakeEndpoint(sql: Sql, { workspaceId, subscriptionId }: EndpointRef): Promise<void> {
  await sql.query(
    `UPDATE endpoint_queues SET next_due_at = 'epoch'
     WHERE workspace_id = $1 AND subscription_id = $2 AND next_due_at IS NOT NULL`,
    [workspaceId, subscriptionId],
  );
}

/**
 * Holds endpoints that were picked at `pickedAt` with something due until `until`, except those woken since. What is
 * queued meanwhile makes the endpoint due again.
 */
export async function holdEndpoints(
  sql: Sql,
  endpoints: readonly EndpointRef[],
  { pickedAt, until }: { pickedAt: Date; until: Date },
): Promise<void> {
  if (endpoints.length === 0) return;
  await sql.query(
    `UPDATE endpoint_queues q SET next_due_at = $4
     FROM unnest($1::text[], $2::text[]) AS h (workspace_id, subscription_id)
     WHERE q.workspace_id = h.workspace_id AND q.subscription_id = h.subscription_id AND q.next_due_at = $3`,
    [
      endpoints.map(({ workspaceId }) => workspaceId),
      endpoints.map(({ subscriptionId }) => subscriptionId),
      pickedAt,
      until,
    ],
  );
}

const LOCK = `SELECT 1 FROM endpoint_queues WHERE workspace_id = $1 AND subscription_id = $2 FOR UPDATE`;

const DELETE = `
WITH queued AS MATERIALIZED (
  SELECT EXISTS (SELECT 1 FROM due_deliveries WHERE workspace_id = $1 AND subscription_id = $2) AS left_over
), healths AS (
  DELETE FROM endpoint_health h USING queued WHERE h.workspace_id = $1 AND h.subscription_id = $2 AND NOT left_over
), requests AS (
  DELETE FROM disable_requests r USING queued WHERE r.workspace_id = $1 AND r.subscription_id = $2 AND NOT left_over
), queues AS (
  DELETE FROM endpoint_queues q USING queued WHERE q.workspace_id = $1 AND q.subscription_id = $2 AND NOT left_over
)
SELECT NOT left_over AS deleted FROM queued`;

/**
 * Deletes the queue, the health and the request to disable of a webhook that has no deliveries queued; else returns
 * false. A concurrent insert waits for the lock and creates the row of the queue again.
 */
export function deleteIdleEndpoint(pool: Pool, { workspaceId, subscriptionId }: EndpointRef): Promise<boolean> {
  return inTransaction(pool, async (sql) => {
    await sql.query(LOCK, [workspaceId, subscriptionId]);
    const rows = await sql.query<{ deleted: boolean }>(DELETE, [workspaceId, subscriptionId]);
    return rows[0]!.deleted;
  });
}
