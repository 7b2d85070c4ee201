import type { Sql } from "@canvass/postgres";
import type { EndpointRef } from "./endpoints.ts";

export interface EndpointHealth extends EndpointRef {
  consecutiveFailures: number;
  lastSuccessAt: Date | null;
  changedAt: Date;
}

/** Locks rows in one order, since workers may report the same ones. Ignores reports older than the stored one. */
const STORE = `
WITH told AS (
  SELECT s.workspace_id, s.subscription_id, h.failures, h.last_success_at, h.changed_at
  FROM unnest($1::text[], $2::text[], $3::int[], $4::timestamptz[], $5::timestamptz[])
    AS h (workspace_id, subscription_id, failures, last_success_at, changed_at)
  JOIN subscriptions s ON s.workspace_id = h.workspace_id AND s.subscription_id = h.subscription_id
    AND (s.health_changed_at IS NULL OR s.health_changed_at <= h.changed_at)
  ORDER BY s.workspace_id, s.subscription_id FOR UPDATE OF s
)
UPDATE subscriptions s SET consecutive_failures = told.failures, last_success_at = told.last_success_at,
  health_changed_at = told.changed_at
FROM told
WHERE s.workspace_id = told.workspace_id AND s.subscription_id = told.subscription_id`;

/** The subscription's revision stays. */
export async function saveHealth(sql: Sql, health: readonly EndpointHealth[]): Promise<void> {
  await sql.query(STORE, [
    health.map(({ workspaceId }) => workspaceId),
    health.map(({ subscriptionId }) => subscriptionId),
    health.map(({ consecutiveFailures }) => consecutiveFailures),
    health.map(({ lastSuccessAt }) => lastSuccessAt),
    health.map(({ changedAt }) => changedAt),
  ]);
}
