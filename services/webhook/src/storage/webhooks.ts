import type { Sql } from "@canvass/postgres";

export interface StoredWebhook {
  workspaceId: string;
  subscriptionId: string;
  mode: string;
  revision: number;
  changedAt: Date;
  status: string;
  statusReason: string;
  url: string;
  destinationRevision: number;
  activeSince: Date;
  sealedSecret: Uint8Array | null;
  /** The former secret while it still signs. */
  sealedFormerSecret: Uint8Array | null;
  formerUntil: Date | null;
}

export interface StoredInterval {
  workspaceId: string;
  intervalId: string;
  subscriptionId: string;
  eventTypes: string[];
  startedAt: Date;
  endedAt: Date | null;
}

const WEBHOOK = `
SELECT s.workspace_id AS "workspaceId", s.subscription_id AS "subscriptionId", s.mode, s.revision,
  s.updated_at AS "changedAt", s.status, s.status_reason AS "statusReason", coalesce(s.url, '') AS url,
  s.destination_revision AS "destinationRevision", s.active_since AS "activeSince",
  current.sealed AS "sealedSecret", former.sealed AS "sealedFormerSecret", former.expires_at AS "formerUntil"
FROM subscriptions s
LEFT JOIN LATERAL (
  SELECT sealed FROM subscription_secrets k
  WHERE k.workspace_id = s.workspace_id AND k.subscription_id = s.subscription_id AND k.expires_at IS NULL
  ORDER BY k.secret_id DESC LIMIT 1
) current ON true
LEFT JOIN LATERAL (
  SELECT sealed, expires_at FROM subscription_secrets k
  WHERE k.workspace_id = s.workspace_id AND k.subscription_id = s.subscription_id AND k.expires_at > $1
  ORDER BY k.expires_at DESC, k.secret_id DESC LIMIT 1
) former ON true`;

const INTERVAL = `i.workspace_id AS "workspaceId", i.interval_id AS "intervalId", i.subscription_id AS "subscriptionId",
  i.event_types AS "eventTypes", i.started_at AS "startedAt", i.ended_at AS "endedAt"`;

export async function findWebhookOrFeed(
  sql: Sql,
  { workspaceId, subscriptionId }: { workspaceId: string; subscriptionId: string },
  now: Date,
): Promise<StoredWebhook | undefined> {
  const one = `${WEBHOOK} WHERE s.workspace_id = $2 AND s.subscription_id = $3`;
  return (await sql.query<StoredWebhook>(one, [now, workspaceId, subscriptionId]))[0];
}

export function findWebhooks(sql: Sql, workspaceIds: readonly string[], now: Date): Promise<StoredWebhook[]> {
  return sql.query(`${WEBHOOK} WHERE s.workspace_id = ANY ($2) AND s.mode = 'push'`, [now, workspaceIds]);
}

/**
 * Returns the interval that lasts, if any, and those that ended last, two in all: a change ends one interval at most
 * and begins one. Returns more if several ended at one time: changes by a clock that is behind have the time of the
 * last change.
 */
export function findLastIntervals(
  sql: Sql,
  { workspaceId, subscriptionId }: { workspaceId: string; subscriptionId: string },
): Promise<StoredInterval[]> {
  return sql.query(
    `SELECT ${INTERVAL} FROM listening_intervals i WHERE i.workspace_id = $1 AND i.subscription_id = $2
     ORDER BY coalesce(i.ended_at, 'infinity'::timestamptz) DESC FETCH FIRST 2 ROWS WITH TIES`,
    [workspaceId, subscriptionId],
  );
}

/**
 * Returns intervals of webhooks, at most `limit` of each workspace: those that last, then those that ended last, since
 * late events may still match them.
 */
export function findIntervals(sql: Sql, workspaceIds: readonly string[], limit: number): Promise<StoredInterval[]> {
  return sql.query(
    `SELECT ${INTERVAL} FROM unnest($1::text[]) AS asked (workspace_id)
     CROSS JOIN LATERAL (
       SELECT l.* FROM listening_intervals l
       JOIN subscriptions s ON s.workspace_id = l.workspace_id AND s.subscription_id = l.subscription_id
       WHERE l.workspace_id = asked.workspace_id AND s.mode = 'push'
       ORDER BY coalesce(l.ended_at, 'infinity'::timestamptz) DESC LIMIT $2
     ) i`,
    [workspaceIds, limit],
  );
}
