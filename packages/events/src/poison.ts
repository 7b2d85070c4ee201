import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { createLeaseQueue, type Lease } from "@canvass/jobs";
import type { Sql } from "@canvass/postgres";
import { hash } from "node:crypto";
import { EventSchema, type Event } from "@canvass/proto/events";

interface PoisonRow {
  workspaceId: string;
  consumer: string;
  eventId: string;
  payload: Uint8Array;
}

export type PoisonEvent = PoisonRow & Lease;

const poisonQueue = createLeaseQueue<PoisonRow>({
  table: "poison_events",
  key: ["workspace_id", "consumer", "event_id"],
  columns: { payload: "payload" },
});

const MINUTE_MS = 60_000;
const LONGEST_WAIT_MS = 6 * 60 * MINUTE_MS;

export async function insertPoison(sql: Sql, consumer: string, event: Event, error: unknown, now: Date): Promise<void> {
  await sql.query(
    `INSERT INTO poison_events (workspace_id, consumer, event_id, payload, error, attempts, failed_at, due_at)
     VALUES ($1, $2, $3, decode($4, 'base64'), $5, 0, $6::timestamptz, $6::timestamptz + interval '1 minute')
     ON CONFLICT (workspace_id, consumer, event_id) DO UPDATE SET error = excluded.error`,
    [storableId(event.workspaceId), consumer, storableId(event.eventId), encode(event), describe(error), now],
  );
}

export async function makePoisonDue(sql: Sql, consumer: string, now: Date): Promise<void> {
  await sql.query(`UPDATE poison_events SET due_at = $2::timestamptz WHERE consumer = $1`, [consumer, now]);
}

export function claimDuePoison(sql: Sql, consumer: string, now: Date, limit: number): Promise<PoisonEvent[]> {
  return poisonQueue.claim(sql, { now, leaseMs: MINUTE_MS, limit, only: { consumer: [consumer] } });
}

export function eventOf({ payload }: PoisonEvent): Event {
  return fromBinary(EventSchema, payload);
}

export async function deletePoison(sql: Sql, { workspaceId, consumer, eventId }: PoisonEvent): Promise<void> {
  const key = [workspaceId, consumer, eventId];
  await sql.query(`DELETE FROM poison_events WHERE workspace_id = $1 AND consumer = $2 AND event_id = $3`, key);
}

export async function postponePoison(sql: Sql, poison: PoisonEvent, error: unknown, now: Date): Promise<void> {
  const waitMs = Math.min(MINUTE_MS * 2 ** (poison.attempts - 1), LONGEST_WAIT_MS);
  await poisonQueue.settle(sql, poison, { due_at: new Date(now.getTime() + waitMs), error: describe(error) });
}

/** After the clock was set back (packages/service, clock-repairs.ts). */
export const repairPoison = (sql: Sql, now: Date): Promise<void> =>
  poisonQueue.repairDueTimes(sql, { now, leaseMs: MINUTE_MS, longestWaitMs: LONGEST_WAIT_MS });

export async function countPoison(sql: Sql, consumer: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM poison_events WHERE consumer = $1`,
    [consumer],
  );
  return row?.count ?? 0;
}

const encode = (event: Event): string => Buffer.from(toBinary(EventSchema, event)).toString("base64");

/** Stores an id that cannot be a key (with NUL, or too long for an index) as its digest. */
const storableId = (id: string): string => (id.length > 200 || id.includes("\0") ? hash("sha256", id) : id);

// PostgreSQL's text takes no NUL.
const describe = (error: unknown): string => String(error).replaceAll("\0", "").slice(0, 2000);
