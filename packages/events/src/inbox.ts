import { firstIdOf } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";

/** Records events as consumed and returns the new ones. Call it in the transaction that stores their effect. */
export async function claimNewEvents(
  sql: Sql,
  consumer: string,
  events: readonly Event[],
  now: Date,
): Promise<Event[]> {
  const byId = new Map(events.map((event) => [event.eventId, event]));
  const distinct = [...byId.values()];
  // Concurrent claims wait in one order, so they cannot deadlock. Then they fail with a unique violation; retry them.
  const claimed = await sql.query<{ eventId: string }>(
    `INSERT INTO consumed_events (workspace_id, consumer, event_id, consumed_at)
     SELECT workspace_id, $3::text, event_id, $4::timestamptz
     FROM unnest($1::text[], $2::text[]) AS new(workspace_id, event_id)
     WHERE NOT EXISTS (
       SELECT FROM consumed_events known
       WHERE (known.workspace_id, known.consumer, known.event_id) = (new.workspace_id, $3::text, new.event_id))
     ORDER BY workspace_id, event_id
     RETURNING event_id AS "eventId"`,
    [distinct.map(({ workspaceId }) => workspaceId), distinct.map(({ eventId }) => eventId), consumer, now],
  );
  const fresh = new Set(claimed.map(({ eventId }) => eventId));
  return distinct.filter(({ eventId }) => fresh.has(eventId));
}

/** Deletes at most `limit` records older than `before`; returns how many. */
export async function purgeConsumedEvents(sql: Sql, before: Date, limit: number): Promise<number> {
  // Bounds the scan by ids: an event is consumed after the time in its id. With full anonymity that time may be up to a
  // day later, and so is the purge of its record.
  const rows = await sql.query(
    `DELETE FROM consumed_events c USING (
       SELECT workspace_id, consumer, event_id FROM consumed_events
       WHERE event_id < $3::text AND consumed_at < $1::timestamptz ORDER BY event_id LIMIT $2::int FOR UPDATE SKIP LOCKED) old
     WHERE (c.workspace_id, c.consumer, c.event_id) = (old.workspace_id, old.consumer, old.event_id)
     RETURNING 1`,
    [before, limit, firstIdOf(before)],
  );
  return rows.length;
}
