import { fromBinary, toBinary } from "@bufbuild/protobuf";
import type { Sql } from "@canvass/postgres";
import { EventSchema, type Event } from "@canvass/proto/events";

/** Milliseconds until the next attempt after so many: a minute, doubling up to six hours. */
const DELAY = `least(interval '1 minute' * power(2, least(attempts, 20)), interval '6 hours')`;

/** Keeps an event that cannot be stored, with all that another attempt needs. Again for the same event: notes the new error. */
export async function keepPoison(sql: Sql, consumer: string, event: Event, error: unknown, now: Date): Promise<void> {
  await sql.query(
    `INSERT INTO poison_events (workspace_id, consumer, event_id, payload, error, attempts, failed_at, next_attempt_at)
     VALUES ($1, $2, $3, decode($4, 'base64'), $5, 0, $6::timestamptz, $6::timestamptz + interval '1 minute')
     ON CONFLICT (workspace_id, consumer, event_id) DO UPDATE SET error = excluded.error`,
    [event.workspaceId, consumer, event.eventId, encode(event), describe(error), now],
  );
}

/** Makes all poison of a consumer due now. */
export async function retryPoisonNow(sql: Sql, consumer: string, now: Date): Promise<void> {
  await sql.query(`UPDATE poison_events SET next_attempt_at = $2::timestamptz WHERE consumer = $1`, [consumer, now]);
}

/**
 * Takes the poison that is due. Taking it sets the time of the attempt after this one, so that no replica takes the
 * same, and so that nothing is left to undo when the process dies over it.
 */
export async function takeDuePoison(sql: Sql, consumer: string, now: Date, limit: number): Promise<Event[]> {
  const rows = await sql.query<{ payload: Uint8Array }>(
    `WITH due AS MATERIALIZED (
       SELECT workspace_id, event_id FROM poison_events
       WHERE consumer = $1 AND next_attempt_at <= $2::timestamptz
       ORDER BY next_attempt_at LIMIT $3::int FOR UPDATE SKIP LOCKED)
     UPDATE poison_events p SET attempts = attempts + 1, next_attempt_at = $2::timestamptz + ${DELAY} FROM due
     WHERE p.consumer = $1 AND p.workspace_id = due.workspace_id AND p.event_id = due.event_id
     RETURNING p.payload`,
    [consumer, now, limit],
  );
  return rows.map(({ payload }) => fromBinary(EventSchema, payload));
}

/** Says how another attempt ended: stored, or what went wrong. */
export async function settlePoison(sql: Sql, consumer: string, event: Event, error?: unknown): Promise<void> {
  const key = [event.workspaceId, consumer, event.eventId];
  const where = `WHERE workspace_id = $1 AND consumer = $2 AND event_id = $3`;
  if (error === undefined) await sql.query(`DELETE FROM poison_events ${where}`, key);
  else await sql.query(`UPDATE poison_events SET error = $4 ${where}`, [...key, describe(error)]);
}

export async function countPoison(sql: Sql, consumer: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM poison_events WHERE consumer = $1`,
    [consumer],
  );
  return row?.count ?? 0;
}

const encode = (event: Event): string => Buffer.from(toBinary(EventSchema, event)).toString("base64");

// PostgreSQL takes no NUL in text.
const describe = (error: unknown): string => String(error).replaceAll("\0", "").slice(0, 2000);
