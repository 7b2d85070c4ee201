import type { Sql } from "@canvass/postgres";
import type { EndpointRef } from "./endpoints.ts";

export interface EndpointHealth extends EndpointRef {
  consecutiveFailures: number;
  lastSuccessAt: Date | null;
  changedAt: Date;
  /** The destination revision that the counts belong to; 0: unknown. */
  destinationRevision: number;
}

/** Locks rows in one order. Ignores older reports, and reports of a destination that was resumed or moved since. */
const STORE = `
WITH told AS (
  SELECT s.workspace_id, s.subscription_id, h.failures, h.last_success_at, h.changed_at
  FROM unnest($1::text[], $2::text[], $3::int[], $4::timestamptz[], $5::timestamptz[], $6::int[])
    AS h (workspace_id, subscription_id, failures, last_success_at, changed_at, destination_revision)
  JOIN subscriptions s ON s.workspace_id = h.workspace_id AND s.subscription_id = h.subscription_id
    AND (s.health_changed_at IS NULL OR s.health_changed_at <= h.changed_at)
    AND h.destination_revision IN (0, s.destination_revision)
  ORDER BY s.workspace_id, s.subscription_id FOR UPDATE OF s
)
UPDATE subscriptions s SET consecutive_failures = told.failures,
  last_success_at = greatest(s.last_success_at, told.last_success_at),
  health_changed_at = told.changed_at
FROM told
WHERE s.workspace_id = told.workspace_id AND s.subscription_id = told.subscription_id`;

export async function saveHealth(sql: Sql, health: readonly EndpointHealth[]): Promise<void> {
  await sql.query(STORE, [
    health.map(({ workspaceId }) => workspaceId),
    health.map(({ subscriptionId }) => subscriptionId),
    health.map(({ consecutiveFailures }) => consecutiveFailures),
    health.map(({ lastSuccessAt }) => lastSuccessAt),
    health.map(({ changedAt }) => changedAt),
    health.map(({ destinationRevision }) => destinationRevision),
  ]);
}
