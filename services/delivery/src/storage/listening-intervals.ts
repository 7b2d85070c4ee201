import type { ExternalEvent } from "@canvass/events";
import { hadWebhooksSql } from "@canvass/plan-history";
import type { Sql } from "@canvass/postgres";
import type { EndpointRef } from "./claimed-delivery.ts";
import { IS_KNOWN, WEBHOOK_COLUMNS, type SealedWebhook } from "./webhooks.ts";

export type Occurrence = Pick<ExternalEvent, "workspaceId" | "type" | "occurredAt">;

export interface ListeningInterval {
  workspaceId: string;
  intervalId: string;
  subscriptionId: string;
  eventTypes: string[];
  startedAt: Date;
  endedAt: Date | null;
}

/**
 * Returns at least one row for each occurrence. Uses the index on ends, so intervals that ended earlier are not read.
 * The inner ORDER BY forces the primary key of webhooks, even with stale statistics.
 */
const MATCH = `
SELECT DISTINCT ON (1, w.subscription_id) happened.position::int4 AS "position", ${IS_KNOWN("happened.workspace_id")} AS "isKnown",
  ${hadWebhooksSql("happened.workspace_id", "happened.at")} AS "hadWebhooks",
  w.workspace_id AS "workspaceId", w.subscription_id AS "subscriptionId", ${WEBHOOK_COLUMNS("w")}
FROM unnest($1::text[], $2::text[], $3::timestamptz[])
  WITH ORDINALITY AS happened (workspace_id, type, at, position)
LEFT JOIN (
  listening_intervals i CROSS JOIN LATERAL (
    SELECT * FROM webhooks x
    WHERE x.workspace_id = i.workspace_id AND x.subscription_id = i.subscription_id AND x.status <> 'deleted'
    ORDER BY x.workspace_id, x.subscription_id LIMIT 1
  ) w
) ON i.workspace_id = happened.workspace_id AND happened.type = ANY (i.event_types)
  AND i.started_at <= happened.at AND coalesce(i.ended_at, 'infinity'::timestamptz) > happened.at
ORDER BY 1, w.subscription_id`;

type Match = { position: number; isKnown: boolean; hadWebhooks: boolean } & (SealedWebhook | { revision: null });

export interface Listening {
  isKnown: boolean;
  webhooks: SealedWebhook[];
  /** Whether only the plan excludes further webhooks. */
  isWithheld: boolean;
}

/** Returns, for each occurrence in order, the webhooks that listened at its time, each once. */
export async function findListeningWebhooks(sql: Sql, occurrences: readonly Occurrence[]): Promise<Listening[]> {
  const listening = occurrences.map((): Listening => ({ isKnown: false, webhooks: [], isWithheld: false }));
  const rows = await sql.query<Match>(MATCH, [
    occurrences.map(({ workspaceId }) => workspaceId),
    occurrences.map(({ type }) => type),
    occurrences.map(({ occurredAt }) => occurredAt),
  ]);
  for (const { position, isKnown, hadWebhooks: had, ...webhook } of rows) {
    const one = listening[position - 1]!;
    one.isKnown = isKnown;
    if (webhook.revision === null) continue;
    if (had) one.webhooks.push(webhook);
    else one.isWithheld = true;
  }
  return listening;
}

/** A change of event types begins an interval, too, at the end of the one before it. */
const RESUMPTION = `
SELECT max(i.started_at) AS at FROM listening_intervals i
WHERE i.workspace_id = $1 AND i.subscription_id = $2 AND NOT EXISTS (
  SELECT FROM listening_intervals former
  WHERE former.workspace_id = $1 AND former.subscription_id = $2 AND former.interval_id <> i.interval_id
    AND former.ended_at = i.started_at)`;

/** Returns when a webhook was last resumed, or else created. Undefined if it has no interval. */
export async function findResumption(
  sql: Sql,
  { workspaceId, subscriptionId }: EndpointRef,
): Promise<Date | undefined> {
  const [row] = await sql.query<{ at: Date | null }>(RESUMPTION, [workspaceId, subscriptionId]);
  return row?.at ?? undefined;
}

export async function putIntervals(sql: Sql, intervals: readonly ListeningInterval[]): Promise<void> {
  if (intervals.length === 0) return;
  await sql.query(
    `INSERT INTO listening_intervals (workspace_id, interval_id, subscription_id, event_types, started_at, ended_at)
     SELECT workspace_id, interval_id, subscription_id, string_to_array(event_types, ','), started_at, ended_at
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[])
       AS told (workspace_id, interval_id, subscription_id, event_types, started_at, ended_at)
     ON CONFLICT (workspace_id, interval_id) DO UPDATE
       SET event_types = excluded.event_types, started_at = excluded.started_at, ended_at = excluded.ended_at`,
    [
      intervals.map(({ workspaceId }) => workspaceId),
      intervals.map(({ intervalId }) => intervalId),
      intervals.map(({ subscriptionId }) => subscriptionId),
      intervals.map(({ eventTypes }) => eventTypes.join(",")),
      intervals.map(({ startedAt }) => startedAt),
      intervals.map(({ endedAt }) => endedAt),
    ],
  );
}

export async function deleteIntervals(sql: Sql, workspaceIds: readonly string[]): Promise<void> {
  await sql.query("DELETE FROM listening_intervals WHERE workspace_id = ANY ($1)", [workspaceIds]);
}
