import type { Sql } from "@canvass/postgres";
import type { EndpointRef } from "./endpoints.ts";

export interface EndpointHealth extends EndpointRef {
  consecutiveFailures: number;
  lastSuccessAt: Date | null;
}

/** What a subscription shows of how its endpoint does; no change of the subscription itself. */
export async function storeHealth(sql: Sql, health: readonly EndpointHealth[]): Promise<void> {
  await sql.query(
    `UPDATE subscriptions s SET consecutive_failures = h.failures, last_success_at = h.last_success_at
     FROM unnest($1::text[], $2::text[], $3::int[], $4::timestamptz[])
       AS h (workspace_id, subscription_id, failures, last_success_at)
     WHERE s.workspace_id = h.workspace_id AND s.subscription_id = h.subscription_id`,
    [
      health.map(({ workspaceId }) => workspaceId),
      health.map(({ subscriptionId }) => subscriptionId),
      health.map(({ consecutiveFailures }) => consecutiveFailures),
      health.map(({ lastSuccessAt }) => lastSuccessAt),
    ],
  );
}
