import { toBinary } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { inTransaction, retryOnConflict, type Sql } from "@canvass/postgres";
import { EventSchema, type Event } from "@canvass/proto/events";
import type { Pool } from "pg";
import { definitionOf, eventTypeOf, sourceOf } from "./catalogue.ts";

/**
 * Writes events into the outbox, in one statement. Call it inside the transaction of the write they tell about: either
 * both happen or neither. Events that nobody awaits are left out. Throws for an event without body, time
 * or source.
 */
export async function appendEvents(sql: Sql, events: readonly Event[]): Promise<void> {
  const rows = events.map(toRow).filter(({ awaiting }) => awaiting !== "");
  if (rows.length === 0) return;
  await sql.query(
    `INSERT INTO outbox_events (event_id, workspace_id, type, payload, occurred_at, awaiting)
     SELECT event_id, workspace_id, type, decode(payload, 'base64'), occurred_at, string_to_array(awaiting, ',')
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[])
       AS new(event_id, workspace_id, type, payload, occurred_at, awaiting)`,
    [
      rows.map(({ eventId }) => eventId),
      rows.map(({ workspaceId }) => workspaceId),
      rows.map(({ type }) => type),
      rows.map(({ payload }) => payload),
      rows.map(({ occurredAt }) => occurredAt),
      rows.map(({ awaiting }) => awaiting),
    ],
  );
}

function toRow(event: Event) {
  const type = eventTypeOf(event);
  if (!event.occurredAt) throw new Error(`event ${event.eventId} does not say when it happened`);
  // Consumers confirm to the source, so an event without one would never leave the outbox.
  sourceOf(event);
  return {
    eventId: event.eventId,
    workspaceId: event.workspaceId,
    type,
    // As text, because both ways to PostgreSQL carry arrays of text.
    payload: Buffer.from(toBinary(EventSchema, event)).toString("base64"),
    occurredAt: timestampDate(event.occurredAt).toISOString(),
    awaiting: definitionOf(type)
      .consumers.map(({ consumer }) => consumer)
      .join(","),
  };
}

export interface OutboxRow {
  eventId: string;
  type: string;
  payload: Uint8Array;
}

/**
 * Takes events that were not published yet and marks them published, for a transaction that stays open until they are:
 * what others have taken is skipped, and if this process dies they are unpublished again. Events from before `since`
 * are left to a call without it.
 */
export function claimUnpublished(
  sql: Sql,
  { now, since, limit }: { now: Date; since: Date | null; limit: number },
): Promise<OutboxRow[]> {
  return sql.query<OutboxRow>(
    `WITH claimed AS MATERIALIZED (
       SELECT event_id FROM outbox_events
       WHERE published_at IS NULL AND occurred_at >= coalesce($2::timestamptz, '-infinity')
       ORDER BY occurred_at LIMIT $3::int FOR UPDATE SKIP LOCKED)
     UPDATE outbox_events o SET published_at = $1::timestamptz FROM claimed
     WHERE o.event_id = claimed.event_id
     RETURNING o.event_id AS "eventId", o.type, o.payload`,
    [now, since, limit],
  );
}

/** Takes the mark back from events that the stream refused. */
export async function unmarkPublished(sql: Sql, eventIds: readonly string[]): Promise<void> {
  await sql.query(`UPDATE outbox_events SET published_at = NULL WHERE event_id = ANY($1::text[])`, [eventIds]);
}

export interface OverdueRow {
  eventId: string;
  payload: Uint8Array;
  publishedAt: Date | null;
  occurredAt: Date;
}

/**
 * Events that `consumer` has not confirmed although they were published, or at least happened, before `before`; after
 * the row `after`, published ones first, oldest first. For a transaction of its own.
 */
export async function overdueEvents(
  sql: Sql,
  { consumer, before, after, limit }: { consumer: string; before: Date; after: OverdueRow | undefined; limit: number },
): Promise<OverdueRow[]> {
  await preferSpeed(sql);
  const position = (row: OverdueRow | undefined) => [row?.occurredAt ?? "-infinity", row?.eventId ?? ""];
  const unpublished = after?.publishedAt === null;
  const published = unpublished
    ? []
    : await sql.query<OverdueRow>(
        `SELECT event_id AS "eventId", payload, published_at AS "publishedAt", occurred_at AS "occurredAt"
         FROM outbox_events
         WHERE published_at < $2::timestamptz AND $1 = ANY(awaiting) AND published_at >= $4::timestamptz
           AND (published_at, occurred_at, event_id) > ($4::timestamptz, $5::timestamptz, $6::text)
         ORDER BY published_at, occurred_at, event_id LIMIT $3::int`,
        [consumer, before, limit, after?.publishedAt ?? "-infinity", ...position(after)],
      );
  if (published.length === limit) return published;
  const rest = await sql.query<OverdueRow>(
    `SELECT event_id AS "eventId", payload, published_at AS "publishedAt", occurred_at AS "occurredAt"
     FROM outbox_events
     WHERE published_at IS NULL AND occurred_at < $2::timestamptz AND $1 = ANY(awaiting) AND occurred_at >= $4::timestamptz
       AND (occurred_at, event_id) > ($4::timestamptz, $5::text)
     ORDER BY occurred_at, event_id LIMIT $3::int`,
    [consumer, before, limit - published.length, ...position(unpublished ? after : undefined)],
  );
  return [...published, ...rest];
}

/**
 * Notes that `consumers` have stored these events; events that nobody else awaits are deleted. Ids that are not in the
 * outbox (any more) do not matter.
 */
export async function confirmEvents(
  pool: Pool,
  eventIds: readonly string[],
  consumers: readonly string[],
): Promise<void> {
  // Each statement commits by itself and meets its rows in the order of their ids, as everywhere: so replicas that
  // confirm the same events wait for each other, but never in a circle.
  const run = (statement: string) =>
    retryOnConflict(() =>
      inTransaction(pool, async (sql) => {
        await preferSpeed(sql);
        return (await sql.query(statement, [eventIds, consumers])).length;
      }),
    );
  if (eventIds.length === 0) return;
  const deleted = await run(DELETE_CONFIRMED);
  if (deleted === eventIds.length) return;
  const shortened = await run(SHORTEN_CONFIRMED);
  // Some became nobody else's in between.
  if (deleted + shortened < eventIds.length) await run(DELETE_CONFIRMED);
}

const DELETE_CONFIRMED = `DELETE FROM outbox_events WHERE event_id = ANY($1::text[]) AND awaiting <@ $2::text[] RETURNING 1`;
const SHORTEN_CONFIRMED = `
  UPDATE outbox_events SET awaiting = ARRAY(SELECT unnest(awaiting) EXCEPT SELECT unnest($2::text[]))
  WHERE event_id = ANY($1::text[]) AND awaiting && $2::text[] AND NOT awaiting <@ $2::text[] RETURNING 1`;

/** When the oldest event in the outbox happened; null when it is empty. For a transaction of its own. */
export async function oldestOccurrence(sql: Sql): Promise<Date | null> {
  await preferSpeed(sql);
  const [row] = await sql.query<{ oldest: Date | null }>(
    `SELECT least(
       (SELECT occurred_at FROM outbox_events WHERE published_at IS NULL ORDER BY occurred_at LIMIT 1),
       (SELECT occurred_at FROM outbox_events WHERE published_at IS NOT NULL ORDER BY published_at LIMIT 1)) AS oldest`,
  );
  return row?.oldest ?? null;
}

/**
 * For transactions whose loss in a crash costs a repetition and nothing else: they do not wait for the disk. And the
 * planner is told to walk along indexes: it looks at the table when that is nearly empty, plans are kept, and rows met
 * in the order of an index are locked in that order.
 */
export async function preferSpeed(sql: Sql): Promise<void> {
  await sql.query(
    "SET LOCAL synchronous_commit = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off",
  );
}
