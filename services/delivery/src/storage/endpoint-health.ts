import type { Sql } from "@canvass/postgres";
import type { PrismaClient } from "../../gen/prisma/client.ts";
import type { EndpointRef } from "./claimed-delivery.ts";

export interface StoredHealth extends EndpointRef {
  consecutiveFailures: number;
  /** The failures that count toward pausing. */
  pausingFailures: number;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  destinationRevision: number;
  activeSince: Date | null;
  changedAt: Date;
}

const FIND_UNREPORTED = `
SELECT workspace_id AS "workspaceId", subscription_id AS "subscriptionId",
  consecutive_failures AS "consecutiveFailures", pausing_failures AS "pausingFailures",
  last_success_at AS "lastSuccessAt", last_failure_at AS "lastFailureAt",
  destination_revision AS "destinationRevision", active_since AS "activeSince", changed_at AS "changedAt"
FROM endpoint_health WHERE unreported AND (workspace_id, subscription_id) > ($2, $3)
ORDER BY workspace_id, subscription_id LIMIT $1`;

/** In key order; those after `after`, if it is given. */
export function findUnreported(sql: Sql, limit: number, after?: EndpointRef): Promise<StoredHealth[]> {
  return sql.query(FIND_UNREPORTED, [limit, after?.workspaceId ?? "", after?.subscriptionId ?? ""]);
}

export function findUnreportedOf(
  { endpointHealth }: Pick<PrismaClient, "endpointHealth">,
  { workspaceId, subscriptionId }: EndpointRef,
): Promise<StoredHealth | null> {
  const where = { workspaceId, subscriptionId, unreported: true };
  return endpointHealth.findFirst({ where, omit: { unreported: true } });
}

/** Locks rows in key order, because several workers write them. */
const MARK = `
WITH reported AS (
  SELECT h.workspace_id, h.subscription_id
  FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS r (workspace_id, subscription_id, changed_at)
  JOIN endpoint_health h ON h.workspace_id = r.workspace_id AND h.subscription_id = r.subscription_id
    AND h.changed_at = r.changed_at
  ORDER BY h.workspace_id, h.subscription_id FOR UPDATE OF h
)
UPDATE endpoint_health h SET unreported = false
FROM reported
WHERE h.workspace_id = reported.workspace_id AND h.subscription_id = reported.subscription_id`;

/** Changes after the read stay unreported. */
export async function markReported(sql: Sql, reported: readonly StoredHealth[]): Promise<void> {
  await sql.query(MARK, [
    reported.map(({ workspaceId }) => workspaceId),
    reported.map(({ subscriptionId }) => subscriptionId),
    reported.map(({ changedAt }) => changedAt),
  ]);
}
