import type { Sql } from "@canvass/postgres";
import type { EndpointRef } from "./claim-deliveries.ts";

export interface DisableRequest extends EndpointRef {
  reason: string;
  requestedAt: Date;
}

const SELECT = `
SELECT workspace_id AS "workspaceId", subscription_id AS "subscriptionId", reason, requested_at AS "requestedAt"
FROM disable_requests`;

/** Oldest first. */
export function findDisableRequests(sql: Sql, limit: number): Promise<DisableRequest[]> {
  return sql.query(`${SELECT} ORDER BY requested_at LIMIT $1`, [limit]);
}

export function findDisableRequestOf(
  sql: Sql,
  { workspaceId, subscriptionId }: EndpointRef,
): Promise<DisableRequest[]> {
  return sql.query(`${SELECT} WHERE workspace_id = $1 AND subscription_id = $2`, [workspaceId, subscriptionId]);
}

/** Deletes the request unless it was renewed. */
export async function deleteDisableRequest(
  sql: Sql,
  { workspaceId, subscriptionId, requestedAt }: DisableRequest,
): Promise<void> {
  await sql.query(
    "DELETE FROM disable_requests WHERE workspace_id = $1 AND subscription_id = $2 AND requested_at = $3",
    [workspaceId, subscriptionId, requestedAt],
  );
}
