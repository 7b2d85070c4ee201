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
  oldestUnpublishedOccurrence,
  applyOutboxSettings,
  unmarkPublished,
} from "./outbox.ts";
import { outboxRows, type OutboxRow } from "./append-events.ts";
import { createCommitPublisher, publishEvents } from "./publish-events.ts";
import { ensureStream } from "./streams.ts";

export interface RelayOptions {
  pool: Pool;
  bus: Bus;
  log: Logger;
  now: () => Date;
  /** Milliseconds between polls while the outbox has events. Default 1,000. */
  pollMs?: number;
  /** Milliseconds between polls of an empty outbox, for events of dead processes. Default 15,000. */
  idlePollMs?: number;
  /** Called with events that a poll found although their process should have published them. */
  onLate?: (eventIds: readonly string[]) => void;
}

export interface Relay extends Loop {
  publish: (events: readonly Event[]) => void;
}

const ROUND_LIMIT = 1000;
const MIN_GAP_MS = 20;
const CHECK_STREAM_MS = 60_000;
const LOOK_BACK_MS = 2000;
/** Age at which events published from memory are marked in the outbox, unless already confirmed. */
const MARK_AFTER_MS = 3000;
const MARK_TOGETHER_MS = 500;
/** Younger events are left to the process that committed them; it marks them earlier than this. */
const LEAVE_MS = 4000;

/** Publishes committed events from memory. Polls the outbox for those that a dead process or a refusal left there. */
export function startRelay(options: RelayOptions): Relay {
  const { pool, bus, log, now, pollMs = 1000, idlePollMs = 15_000, onLate } = options;
  let thoroughAt = 0;
  let checkStreamAt = 0;
  /** Include events younger than LEAVE_MS. */
  let lookForAll = true;
  let marking: NodeJS.Timeout | undefined;
  const committed = createCommitPublisher({ bus, log, onMissed: nudge, onPublished: markSoon });

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
      // A long transaction keeps dead index entries alive. Limit thorough scans to a twentieth of the time.
      if (thorough) thoroughAt = performance.now() + Math.max(pollMs, 20 * (performance.now() - started));
      // A nudged round misses old events that a long transaction committed late, so a thorough one follows.
      return thorough && eventIds.length === 0 ? await untilNextOld() : pollMs;
    } catch (error) {
      lookForAll ||= until === null;
      thoroughAt = 0;
      checkStreamAt = 0;
      throw error;
    }
  }

  async function untilNextOld(): Promise<number> {
    const oldest = await inTransaction(pool, oldestUnpublishedOccurrence);
    const leftMs = oldest ? oldest.getTime() + LEAVE_MS - now().getTime() : idlePollMs;
    return Math.min(Math.max(leftMs, pollMs), idlePollMs);
  }

  async function markOld(ageMs: number): Promise<void> {
    const eventIds = committed.takePublished(ageMs);
    if (committed.publishedFor !== undefined) markSoon();
    if (eventIds.length === 0) return;
    await inTransaction(pool, async (sql) => {
      await applyOutboxSettings(sql);
      await markPublished(sql, eventIds, now());
    });
  }

  const loop = startLoop({
    round,
    minGapMs: MIN_GAP_MS,
    onFailure: (error, inARow) => {
      // Warn at the second failure: the first may be a lost stream, which the next round recreates.
      if (inARow === 2) log.warn({ err: error }, "events cannot be published; they take the slow path meanwhile");
    },
  });
  return {
    nudge,
    publish: (events) => committed.publish(outboxRows(events)),
    async [Symbol.asyncDispose]() {
      await Promise.all([committed.settled(), loop[Symbol.asyncDispose]()]);
      clearTimeout(marking);
      // Otherwise the next process would publish them again.
      await markOld(0).catch((error: unknown) => log.warn({ err: error }, "published events were not marked"));
    },
  };
}

async function relayOnce(
  { pool, connection, log }: Pick<RelayOptions, "pool" | "log"> & { connection: NatsConnection },
  what: { now: Date; since: Date | null; until: Date | null; limit: number },
): Promise<string[]> {
  let refusal: unknown;
  const rows = await inTransaction(pool, async (sql): Promise<OutboxRow[]> => {
    await applyOutboxSettings(sql);
    const claimed = await claimUnpublished(sql, what);
    if (claimed.length === 0) return claimed;
    const { refused, error } = await publishEvents(connection, claimed, log);
    if (refused.length === claimed.length) throw error;
    if (refused.length > 0) await unmarkPublished(sql, refused);
    refusal = error;
    return claimed;
  });
  if (refusal) throw refusal;
  return rows.map(({ eventId }) => eventId);
}
