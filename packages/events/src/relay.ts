import { inTransaction } from "@canvass/postgres";
import type { Logger } from "@canvass/telemetry";
import type { NatsConnection } from "nats";
import type { Pool } from "pg";
import type { Bus } from "./bus.ts";
import { startLoop, type Loop } from "@canvass/jobs";
import type { Event } from "@canvass/proto/events";
import {
  claimUnpublished,
  markPublished,
  oldestUnpublished,
  outboxRows,
  preferSpeed,
  unmarkPublished,
  type OutboxRow,
} from "./outbox.ts";
import { createCommittedEvents } from "./publish-committed.ts";
import { publishEvents, USUAL_MAX_PAYLOAD } from "./publish-events.ts";
import { ensureStream } from "./streams.ts";

export interface RelayOptions {
  pool: Pool;
  bus: Bus;
  log: Logger;
  now: () => Date;
  /** Milliseconds between polls of an outbox that had something in it. Default 1,000. */
  pollMs?: number;
  /** The same for an empty one: only what a process left that died before it published. Default 15,000. */
  idlePollMs?: number;
  /** Events were found that should have left right after their commit. */
  onLate?: (eventIds: readonly string[]) => void;
}

export interface Relay extends Loop {
  /** Publishes events whose commit has just ended, without a look into the outbox. */
  publish(events: readonly Event[]): void;
}

const ROUND_LIMIT = 1000;
const MIN_GAP_MS = 20;
const CHECK_STREAM_MS = 60_000;
/** How far back a nudged round looks. */
const LOOK_BACK_MS = 2000;
/** What is published from memory is marked after this time, unless it is confirmed by then, together with what is a little younger. */
const MARK_AFTER_MS = 3000;
const MARK_TOGETHER_MS = 500;
/** Younger events are left to the process that committed them, which marks them before that. */
const LEAVE_MS = 4000;

/**
 * Publishes the outbox: what its process has just committed from memory, and by looking what a dead process or a refusal
 * left. Replicas share it by row locks, which end with the process.
 */
export function startRelay(options: RelayOptions): Relay {
  const { pool, bus, log, now, pollMs = 1000, idlePollMs = 15_000, onLate } = options;
  let thoroughAt = 0;
  let checkStreamAt = 0;
  /** Young ones, too. */
  let lookForAll = true;
  let marking: NodeJS.Timeout | undefined;
  const committed = createCommittedEvents({ bus, log, onMissed: nudge, onPublished: markSoon });

  function nudge(): void {
    lookForAll = true;
    loop.nudge();
  }

  function markSoon(): void {
    const leftMs = MARK_AFTER_MS - (committed.publishedFor ?? 0);
    marking ??= setTimeout(
      () => {
        marking = undefined;
        loop.nudge();
      },
      Math.max(leftMs, MARK_TOGETHER_MS),
    );
  }

  async function round(stopping: AbortSignal): Promise<number> {
    const connection = await bus.whenConnected(stopping);
    if (!connection) return pollMs;
    await markOld(MARK_AFTER_MS);
    const thorough = performance.now() >= thoroughAt;
    if (!thorough && !lookForAll) return pollMs;
    const started = performance.now();
    const at = now().getTime();
    const since = thorough ? null : new Date(at - LOOK_BACK_MS);
    const until = lookForAll ? null : new Date(at - LEAVE_MS);
    lookForAll = false;
    try {
      if (started >= checkStreamAt) {
        await ensureStream(await connection.jetstreamManager({ checkAPI: false }), bus.stream, log);
        checkStreamAt = started + CHECK_STREAM_MS;
      }
      const what = { now: new Date(at), since, until, limit: ROUND_LIMIT };
      const eventIds = await relayOnce({ pool, connection, log }, what);
      if (until && eventIds.length > 0) onLate?.(eventIds);
      if (eventIds.length === ROUND_LIMIT) {
        lookForAll ||= until === null;
        return 0;
      }
      // Dead index entries pile up under a long transaction: a thorough scan takes at most a twentieth of the time.
      if (thorough) thoroughAt = performance.now() + Math.max(pollMs, 20 * (performance.now() - started));
      // A look at the last moments misses what a long transaction committed: a thorough one follows.
      return thorough && eventIds.length === 0 ? await untilNextOld() : pollMs;
    } catch (error) {
      lookForAll ||= until === null;
      thoroughAt = 0;
      checkStreamAt = 0;
      throw error;
    }
  }

  /** Until the oldest event that was left is no longer young. */
  async function untilNextOld(): Promise<number> {
    const oldest = await inTransaction(pool, oldestUnpublished);
    const leftMs = oldest ? oldest.getTime() + LEAVE_MS - now().getTime() : idlePollMs;
    return Math.min(Math.max(leftMs, pollMs), idlePollMs);
  }

  async function markOld(ageMs: number): Promise<void> {
    const eventIds = committed.takePublished(ageMs);
    if (committed.publishedFor !== undefined) markSoon();
    if (eventIds.length === 0) return;
    await inTransaction(pool, async (sql) => {
      await preferSpeed(sql);
      await markPublished(sql, eventIds, now());
    });
  }

  const loop = startLoop({
    round,
    minGapMs: MIN_GAP_MS,
    onFailure: (error, inARow) => {
      // After the first failure the next round recreates a lost stream.
      if (inARow === 2) log.warn({ err: error }, "events cannot be published; they take the slow road meanwhile");
    },
  });
  return {
    nudge,
    publish: (events) => committed.publish(outboxRows(events)),
    async [Symbol.asyncDispose]() {
      await Promise.all([committed.settled(), loop[Symbol.asyncDispose]()]);
      clearTimeout(marking);
      // So that the next process does not publish them again.
      await markOld(0).catch((error: unknown) => log.warn({ err: error }, "published events were not marked"));
    },
  };
}

/**
 * Publishes one batch; returns its ids. Throws when any event was refused. What is too large for the bus counts as
 * published, so that the sweep hands it over.
 */
async function relayOnce(
  { pool, connection, log }: Pick<RelayOptions, "pool" | "log"> & { connection: NatsConnection },
  what: { now: Date; since: Date | null; until: Date | null; limit: number },
): Promise<string[]> {
  let refusal: unknown;
  const rows = await inTransaction(pool, async (sql): Promise<OutboxRow[]> => {
    await preferSpeed(sql);
    const claimed = await claimUnpublished(sql, what);
    if (claimed.length === 0) return claimed;
    const maxPayload = connection.info?.max_payload ?? USUAL_MAX_PAYLOAD;
    const { tooLarge, refused, error } = await publishEvents(connection.jetstream(), claimed, maxPayload);
    if (tooLarge.length > 0) log.warn({ eventIds: tooLarge, maxPayload }, "too large for the bus: handed over by RPC");
    if (refused.length === claimed.length) throw error;
    if (refused.length > 0) await unmarkPublished(sql, refused);
    refusal = error;
    return claimed;
  });
  if (refusal) throw refusal;
  return rows.map(({ eventId }) => eventId);
}
