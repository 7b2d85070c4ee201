import type { ExternalEvent } from "@canvass/events";
import type { Sql } from "@canvass/postgres";

export type FeedEntry = Omit<ExternalEvent, "occurredAt" | "traceparent">;

export interface PositionedEntry extends FeedEntry {
  /** Counts from 1. Text, because it may exceed a JavaScript number. */
  position: string;
}

/** Returns the entries that are not in the feed, in order and without duplicates. */
export async function findNewEntries<Entry extends FeedEntry>(sql: Sql, entries: readonly Entry[]): Promise<Entry[]> {
  const rows = await sql.query<{ workspaceId: string; eventId: string }>(
    `SELECT f.workspace_id AS "workspaceId", f.event_id AS "eventId"
     FROM unnest($1::text[], $2::text[]) AS asked (workspace_id, event_id)
     JOIN feed_events f ON f.workspace_id = asked.workspace_id AND f.event_id = asked.event_id`,
    [entries.map(({ workspaceId }) => workspaceId), entries.map(({ eventId }) => eventId)],
  );
  const seen = new Set(rows.map(keyOf));
  return entries.filter((entry) => !seen.has(keyOf(entry)) && seen.add(keyOf(entry)));
}

const keyOf = ({ workspaceId, eventId }: { workspaceId: string; eventId: string }): string =>
  `${workspaceId} ${eventId}`;

/**
 * Locks counters in one order, so that batches do not deadlock, and until the commit, so that a reader at a position
 * has missed nothing before it. `stored_at` never decreases in a workspace, so a purge can start at the oldest entry.
 */
const APPEND = `
WITH added AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
    WITH ORDINALITY AS a (workspace_id, event_id, type, timestamp, data, place)
), counted AS (
  INSERT INTO feed_counters (workspace_id, position, stored_at)
  SELECT workspace_id, count(*), $6::timestamptz FROM added GROUP BY workspace_id ORDER BY workspace_id
  ON CONFLICT (workspace_id) DO UPDATE SET position = feed_counters.position + excluded.position,
    stored_at = greatest(feed_counters.stored_at, excluded.stored_at)
  RETURNING workspace_id, position, stored_at
)
INSERT INTO feed_events (workspace_id, position, event_id, type, timestamp, data, stored_at)
SELECT added.workspace_id,
  counted.position - count(*) OVER of_workspace + row_number() OVER (of_workspace ORDER BY added.place),
  added.event_id, added.type, added.timestamp, added.data, counted.stored_at
FROM added JOIN counted ON counted.workspace_id = added.workspace_id
WINDOW of_workspace AS (PARTITION BY added.workspace_id)`;

/** Must be the last statement of its transaction. */
export async function insertFeedEntries(sql: Sql, entries: readonly FeedEntry[], storedAt: Date): Promise<void> {
  await sql.query(APPEND, [
    entries.map(({ workspaceId }) => workspaceId),
    entries.map(({ eventId }) => eventId),
    entries.map(({ type }) => type),
    entries.map(({ timestamp }) => timestamp),
    entries.map(({ dataJson }) => dataJson),
    storedAt,
  ]);
}

export function findFeedEntries(
  sql: Sql,
  workspaceId: string,
  after: string,
  limit: number,
): Promise<PositionedEntry[]> {
  return sql.query<PositionedEntry>(
    `SELECT workspace_id AS "workspaceId", position, event_id AS "eventId", type, timestamp, data AS "dataJson"
     FROM feed_events WHERE workspace_id = $1 AND position > $2 ORDER BY position LIMIT $3`,
    [workspaceId, after, limit],
  );
}

export interface StoredEntry extends FeedEntry {
  storedAt: Date;
}

export async function findFeedEntry(sql: Sql, workspaceId: string, eventId: string): Promise<StoredEntry | undefined> {
  const rows = await sql.query<StoredEntry>(
    `SELECT workspace_id AS "workspaceId", event_id AS "eventId", type, timestamp, data AS "dataJson",
       stored_at AS "storedAt"
     FROM feed_events WHERE workspace_id = $1 AND event_id = $2`,
    [workspaceId, eventId],
  );
  return rows[0];
}

const FEEDS = 20;

/** Purges feeds in turn, oldest entries first. An empty feed has its next turn in a day. Skips locked counters. */
const PURGE = `
WITH feeds AS MATERIALIZED (
  SELECT workspace_id FROM feed_counters WHERE oldest_at < $1 ORDER BY oldest_at LIMIT ${FEEDS}
), first AS MATERIALIZED (
  SELECT feeds.workspace_id, f.position, f.stored_at FROM feeds CROSS JOIN LATERAL (
    SELECT position, stored_at FROM feed_events WHERE workspace_id = feeds.workspace_id ORDER BY position LIMIT $2 + 1
  ) f
), old AS MATERIALIZED (
  SELECT workspace_id, position FROM first WHERE stored_at < $1 ORDER BY stored_at, workspace_id, position LIMIT $2
), gone AS (
  DELETE FROM feed_events f USING old
  WHERE f.workspace_id = old.workspace_id AND f.position = old.position RETURNING 1
), kept AS (
  SELECT workspace_id, min(stored_at) AS oldest_at FROM first
  WHERE (workspace_id, position) NOT IN (SELECT workspace_id, position FROM old) GROUP BY workspace_id
), turn AS MATERIALIZED (
  SELECT workspace_id FROM feed_counters JOIN feeds USING (workspace_id) FOR UPDATE OF feed_counters SKIP LOCKED
), moved AS (
  UPDATE feed_counters c SET oldest_at = coalesce(kept.oldest_at, $1 + interval '1 day')
  FROM turn LEFT JOIN kept USING (workspace_id)
  WHERE c.workspace_id = turn.workspace_id
)
SELECT (SELECT count(*) FROM gone)::int4 AS gone, (SELECT count(*) FROM old)::int4 AS old,
  (SELECT count(*) FROM feeds)::int4 AS feeds`;

/** Returns the number of deleted entries, or `limit` if there may be more. */
export async function purgeFeed(sql: Sql, before: Date, limit: number): Promise<number> {
  const [row] = await sql.query<{ gone: number; old: number; feeds: number }>(PURGE, [before, limit]);
  const { gone, old, feeds } = row!;
  // Another replica may have deleted some of the old entries first.
  return feeds === FEEDS || old === limit ? limit : gone;
}
