import type { Sql } from "@canvass/postgres";
import { hadWebhooksSql } from "@canvass/plan-history";

export interface Listener {
  subscriptionId: string;
  /** Null for a deleted subscription, like `mode`, `status`, `statusReason` and `createdAt`. */
  name: string | null;
  mode: string | null;
  status: string | null;
  statusReason: string | null;
  createdAt: Date | null;
  /** Whether it was active and subscribed to this type. */
  listened: boolean;
  /** Whether it was active, with any types. */
  active: boolean;
  /** End of its last active interval before that time, and start of the first one after. Null: unknown or none. */
  activeBefore: Date | null;
  activeAfter: Date | null;
}

const THEN = `i.workspace_id = $1 AND i.subscription_id = one.subscription_id
  AND i.started_at <= $2 AND (i.ended_at IS NULL OR i.ended_at > $2)`;

/** LIMIT: a workspace has at most twenty subscriptions, but deleted ones may have listened, too. */
const FIND = `
WITH one AS (
  SELECT subscription_id FROM subscriptions WHERE workspace_id = $1
  UNION
  SELECT subscription_id FROM listening_intervals i
  WHERE i.workspace_id = $1 AND i.started_at <= $2 AND i.ended_at > $2 AND $3 = ANY (i.event_types)
)
SELECT one.subscription_id AS "subscriptionId", s.name, s.mode, s.status, s.status_reason AS "statusReason",
  s.created_at AS "createdAt",
  EXISTS (SELECT 1 FROM listening_intervals i WHERE ${THEN} AND $3 = ANY (i.event_types)) AS listened,
  EXISTS (SELECT 1 FROM listening_intervals i WHERE ${THEN}) AS active,
  (SELECT max(i.ended_at) FROM listening_intervals i
   WHERE i.workspace_id = $1 AND i.subscription_id = one.subscription_id AND i.ended_at <= $2) AS "activeBefore",
  (SELECT min(i.started_at) FROM listening_intervals i
   WHERE i.workspace_id = $1 AND i.subscription_id = one.subscription_id AND i.started_at > $2) AS "activeAfter"
FROM one LEFT JOIN subscriptions s ON s.workspace_id = $1 AND s.subscription_id = one.subscription_id
ORDER BY one.subscription_id LIMIT 60`;

/**
 * Returns the subscriptions of the workspace, and deleted ones that listened to the type at that time, oldest first.
 * `listened` tells whether one did.
 */
export function findSubscriptionsAt(sql: Sql, workspaceId: string, at: Date, type: string): Promise<Listener[]> {
  return sql.query(FIND, [workspaceId, at, type]);
}

export async function planHadWebhooksAt(sql: Sql, workspaceId: string, at: Date): Promise<boolean> {
  const rows = await sql.query<{ had: boolean }>(`SELECT ${hadWebhooksSql("$1", "$2")} AS had`, [workspaceId, at]);
  return rows[0]!.had;
}
