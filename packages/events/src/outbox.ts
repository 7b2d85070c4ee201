import { fromBinary } from "@bufbuild/protobuf";
import type { Sql } from "@canvass/postgres";
import type { EventType } from "@canvass/processes/event-catalogue";
import { EventSchema, type Event } from "@canvass/proto/events";
import type { OutboxRow } from "./append-events.ts";

/** Claims unpublished events and marks them published. If the process dies, the open transaction rolls that back. */
export function claimUnpublished(
  sql: Sql,
  { now, since, until = null, limit }: { now: Date; since: Date | null; until?: Date | null; limit: number },
): Promise<OutboxRow[]> {
  return sql.query<OutboxRow>(
    `WITH claimed AS MATERIALIZED (
       SELECT event_id FROM outbox_events
       WHERE published_at IS NULL AND occurred_at >= coalesce($2::timestamptz, '-infinity')
         AND occurred_at <= coalesce($4::timestamptz, 'infinity')
       ORDER BY occurred_at LIMIT $3::int FOR UPDATE SKIP LOCKED)
     UPDATE outbox_events o SET published_at = $1::timestamptz FROM claimed
     WHERE o.event_id = claimed.event_id
     RETURNING o.event_id AS "eventId", o.type, o.payload`,
    [now, since, limit, until],
  );
}

/** Marks events that are already published. Most are confirmed and deleted by then, so this writes little. */
export async function markPublished(sql: Sql, eventIds: readonly string[], now: Date): Promise<void> {
  await sql.query(
    `UPDATE outbox_events SET published_at = $2::timestamptz WHERE event_id = ANY($1::text[]) AND published_at IS NULL`,
    [eventIds, now],
  );
}

export async function unmarkPublished(sql: Sql, eventIds: readonly string[]): Promise<void> {
  await sql.query(`UPDATE outbox_events SET published_at = NULL WHERE event_id = ANY($1::text[])`, [eventIds]);
}

/** After the clock was set back (clock-repairs.ts): sets times in the future to `now`. Payloads keep their time. */
export async function repairOutbox(sql: Sql, now: Date): Promise<void> {
  await sql.query(
    `WITH ahead AS MATERIALIZED (
       SELECT event_id FROM outbox_events WHERE published_at > $1::timestamptz OR occurred_at > $1::timestamptz
       ORDER BY event_id FOR UPDATE SKIP LOCKED)
     UPDATE outbox_events o SET occurred_at = least(occurred_at, $1::timestamptz),
       published_at = CASE WHEN published_at IS NOT NULL THEN least(published_at, $1::timestamptz) END
     FROM ahead WHERE o.event_id = ahead.event_id`,
    [now],
  );
}

export interface OverdueRow {
  eventId: string;
  payload: Uint8Array;
  publishedAt: Date | null;
  occurredAt: Date;
}

export interface OverdueQuery {
  consumer: string;
  before: Date;
  after: OverdueRow | undefined;
  limit: number;
  /** Soft limit of payload bytes: the row that exceeds it is the last. */
  bytes: number;
}

export interface OverduePage {
  rows: OverdueRow[];
  isLast: boolean;
}

/** Returns events from before `before` that `consumer` has not confirmed: published ones first, oldest first. */
export async function overdueEvents(
  sql: Sql,
  { consumer, before, after, limit, bytes }: OverdueQuery,
): Promise<OverduePage> {
  await applyOutboxSettings(sql);
  const position = (row: OverdueRow | undefined) => [row?.occurredAt ?? "-infinity", row?.eventId ?? ""];
  const unpublished = after?.publishedAt === null;
  const published = unpublished
    ? []
    : await sql.query<FoundRow>(
        pageSql(
          `published_at < $2::timestamptz AND $1 = ANY(awaiting) AND published_at >= $5::timestamptz
             AND (published_at, occurred_at, event_id) > ($5::timestamptz, $6::timestamptz, $7::text)`,
          "published_at, occurred_at, event_id",
        ),
        [consumer, before, limit, bytes, after?.publishedAt ?? "-infinity", ...position(after)],
      );
  const left = limit - published.length;
  if (left === 0 || isCutShort(published)) return { rows: published, isLast: false };
  const rest = await sql.query<FoundRow>(
    pageSql(
      `published_at IS NULL AND occurred_at < $2::timestamptz AND $1 = ANY(awaiting) AND occurred_at >= $5::timestamptz
         AND (occurred_at, event_id) > ($5::timestamptz, $6::text)`,
      "occurred_at, event_id",
    ),
    [consumer, before, left, bytes, ...position(unpublished ? after : undefined)],
  );
  return { rows: [...published, ...rest], isLast: rest.length < left && !isCutShort(rest) };
}

type FoundRow = OverdueRow & { found: number };

/** PostgreSQL knows a payload's length without reading it, so only payloads within the limit are read. */
const pageSql = (condition: string, order: string): string => `
  SELECT event_id AS "eventId", payload, published_at AS "publishedAt", occurred_at AS "occurredAt", found::int4 FROM (
    SELECT *, sum(octet_length(payload)) OVER (ORDER BY ${order}) - octet_length(payload) AS bytes_before,
      count(*) OVER () AS found
    FROM (SELECT * FROM outbox_events WHERE ${condition} ORDER BY ${order} LIMIT $3::int) AS page) AS weighed
  WHERE bytes_before < $4::int ORDER BY ${order}`;

const isCutShort = (rows: readonly FoundRow[]): boolean => rows.length > 0 && rows.length < rows[0]!.found;

/**
 * Returns the earlier of two times: when the oldest unpublished event occurred, and when the event occurred that was
 * published first. Null if there is no event.
 */
export async function oldestOccurrence(sql: Sql): Promise<Date | null> {
  await applyOutboxSettings(sql);
  const [row] = await sql.query<{ oldest: Date | null }>(
    `SELECT least(
       (SELECT occurred_at FROM outbox_events WHERE published_at IS NULL ORDER BY occurred_at LIMIT 1),
       (SELECT occurred_at FROM outbox_events WHERE published_at IS NOT NULL ORDER BY published_at LIMIT 1)) AS oldest`,
  );
  return row?.oldest ?? null;
}

/** Returns when the oldest unpublished event occurred, or null. */
export async function oldestUnpublishedOccurrence(sql: Sql): Promise<Date | null> {
  await applyOutboxSettings(sql);
  const [row] = await sql.query<{ oldest: Date }>(
    `SELECT occurred_at AS oldest FROM outbox_events WHERE published_at IS NULL ORDER BY occurred_at LIMIT 1`,
  );
  return row?.oldest ?? null;
}

/** Returns the events that at least one consumer has not confirmed. The outbox has no others. */
export async function unconfirmedEvents(
  sql: Sql,
  { type, workspaceIds }: { type: EventType; workspaceIds: readonly string[] },
): Promise<Event[]> {
  const rows = await sql.query<{ payload: Uint8Array }>(
    `SELECT payload FROM outbox_events
     WHERE workspace_id = ANY($1::text[]) AND type = $2 ORDER BY occurred_at`,
    [workspaceIds, type],
  );
  return rows.map(({ payload }) => fromBinary(EventSchema, payload));
}

export async function countUnconfirmed(sql: Sql, most: number): Promise<number> {
  await applyOutboxSettings(sql);
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT FROM outbox_events ORDER BY published_at LIMIT $1::int) AS unconfirmed`,
    [most],
  );
  return row!.count;
}

/** Returns when the longest wait for confirmation began, or null. */
export async function longestWaitStart(sql: Sql): Promise<Date | null> {
  await applyOutboxSettings(sql);
  const [row] = await sql.query<{ since: Date | null }>(
    `SELECT least(
       (SELECT occurred_at FROM outbox_events WHERE published_at IS NULL ORDER BY occurred_at LIMIT 1),
       (SELECT published_at FROM outbox_events WHERE published_at IS NOT NULL ORDER BY published_at LIMIT 1)) AS since`,
  );
  return row?.since ?? null;
}

/**
 * Settings of transactions that touch only the outbox. Their commit does not wait for the disk: a crash may lose them.
 * They use index scans only: plans made for a nearly empty table stay cached, and rows must be locked in index order.
 */
export async function applyOutboxSettings(sql: Sql): Promise<void> {
  await sql.query(
    "SET LOCAL synchronous_commit = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off",
  );
}
