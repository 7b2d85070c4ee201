import type { Sql } from "@canvass/postgres";
import { hadWebhooksSql } from "@canvass/plan-history";

export interface EndpointRef {
  workspaceId: string;
  subscriptionId: string;
}

export interface StoredEndpoint {
  status: string;
  statusReason: string;
  url: string;
  destinationRevision: number;
  activeSince: Date;
  /** Whether the last known plan has webhooks. */
  hasWebhooks: boolean;
  /** Sealed, newest first. */
  secrets: Uint8Array[];
}

interface Row extends Omit<StoredEndpoint, "secrets"> {
  position: number;
  sealed: Uint8Array;
}

/** One row per signing secret: the newest two that have not expired. Only the newest has no expiry. */
const FIND = `
SELECT asked.position::int4 AS "position", s.status, s.status_reason AS "statusReason", s.url, k.sealed,
  s.destination_revision AS "destinationRevision", s.active_since AS "activeSince",
  ${hadWebhooksSql("s.workspace_id", "'infinity'")} AS "hasWebhooks"
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (workspace_id, subscription_id, position)
JOIN subscriptions s
  ON s.workspace_id = asked.workspace_id AND s.subscription_id = asked.subscription_id AND s.mode = 'push'
CROSS JOIN LATERAL (
  SELECT sealed, secret_id, expires_at FROM subscription_secrets
  WHERE workspace_id = s.workspace_id AND subscription_id = s.subscription_id
    AND (expires_at IS NULL OR expires_at > $3)
  ORDER BY expires_at DESC NULLS FIRST, secret_id DESC LIMIT 2
) k
ORDER BY asked.position, k.expires_at DESC NULLS FIRST, k.secret_id DESC`;

/** In the order of the references; undefined for missing webhooks. */
export async function findEndpoints(
  sql: Sql,
  refs: readonly EndpointRef[],
  now: Date,
): Promise<(StoredEndpoint | undefined)[]> {
  const endpoints: (StoredEndpoint | undefined)[] = refs.map(() => undefined);
  const workspaceIds = refs.map(({ workspaceId }) => workspaceId);
  const subscriptionIds = refs.map(({ subscriptionId }) => subscriptionId);
  for (const { position, sealed, ...row } of await sql.query<Row>(FIND, [workspaceIds, subscriptionIds, now])) {
    (endpoints[position - 1] ??= { ...row, secrets: [] }).secrets.push(sealed);
  }
  return endpoints;
}
