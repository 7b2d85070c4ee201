import type { Sql } from "@canvass/postgres";
import type { EndpointRef } from "./claim-deliveries.ts";

export interface StoredHealth extends EndpointRef {
  consecutiveFailures: number;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
}

/** Health that changed since it was last reported. */
export function readUnreported(sql: Sql, limit: number): Promise<StoredHealth[]> {
  return sql.query(
    `SELECT workspace_id AS "workspaceId", subscription_id AS "subscriptionId",
       consecutive_failures AS "consecutiveFailures", last_success_at AS "lastSuccessAt",
       last_failure_at AS "lastFailureAt"
     FROM endpoint_health WHERE unreported ORDER BY workspace_id, subscription_id LIMIT $1`,
    [limit],
  );
}

/** Rows are locked in one order: several workers report, and others count. */
const MARK = `
WITH told AS (
  SELECT h.workspace_id, h.subscription_id, h.consecutive_failures = r.failures
    AND h.last_success_at IS NOT DISTINCT FROM r.last_success_at
    AND h.last_failure_at IS NOT DISTINCT FROM r.last_failure_at AS current
  FROM unnest($1::text[], $2::text[], $3::int[], $4::timestamptz[], $5::timestamptz[])
    AS r (workspace_id, subscription_id, failures, last_success_at, last_failure_at)
  JOIN endpoint_health h ON h.workspace_id = r.workspace_id AND h.subscription_id = r.subscription_id
  ORDER BY h.workspace_id, h.subscription_id FOR UPDATE OF h
)
UPDATE endpoint_health h SET unreported = NOT told.current
FROM told
WHERE h.workspace_id = told.workspace_id AND h.subscription_id = told.subscription_id AND h.unreported = told.current`;

/**
 * Notes that these were reported. What has changed since it was read is to be reported again, also when somebody else
 * did so meanwhile: this report may have come after theirs and put the older figures in place of the newer ones.
 */
export async function markReported(sql: Sql, reported: readonly StoredHealth[]): Promise<void> {
  await sql.query(MARK, [
    reported.map(({ workspaceId }) => workspaceId),
    reported.map(({ subscriptionId }) => subscriptionId),
    reported.map(({ consecutiveFailures }) => consecutiveFailures),
    reported.map(({ lastSuccessAt }) => lastSuccessAt),
    reported.map(({ lastFailureAt }) => lastFailureAt),
  ]);
}
