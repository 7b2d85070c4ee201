import { createBatcher } from "@canvass/rpc";
import { giveUpAfter, type Logger } from "@canvass/telemetry";
import type { Bus } from "./bus.ts";
import type { OutboxRow } from "./outbox.ts";
import { publishEvents, USUAL_MAX_PAYLOAD } from "./publish-events.ts";

export interface CommittedOptions {
  bus: Bus;
  log: Logger;
  /** Some were not published: the relay must look. */
  onMissed: () => void;
  /** Some were published, which are to be marked when they are so old. */
  onPublished: () => void;
}

export interface CommittedEvents {
  /** Publishes in the background. Never throws. */
  publish(rows: readonly OutboxRow[]): void;
  /** Removes and returns the ids of what was published `ageMs` ago or earlier. */
  takePublished(ageMs: number): string[];
  /** Milliseconds since the oldest was published that was not taken; undefined: there is none. */
  readonly publishedFor: number | undefined;
  /** What is under way has ended. */
  settled(): Promise<void>;
}

const BATCH = 1000;
/** Beyond these the relay does the work. */
const MAX_WAITING = 10_000;
/** Of those that wait and those under way. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** Batches. What is not remembered may be published again, which consumers recognise. */
const MAX_UNMARKED = 1000;
/** Between batches that follow each other, so that they grow. One after a pause leaves at once. */
const GAP_MS = 5;
/** Of a batch: longer than the bus may take. */
const PATIENCE_MS = 10_000;

/**
 * Publishes events right after their commit, from memory: no read, no claim. The outbox keeps what this misses, as when
 * the process dies before.
 */
export function createCommittedEvents({ bus, log, onMissed, onPublished }: CommittedOptions): CommittedEvents {
  const held = { rows: 0, bytes: 0 };
  let unmarked: { at: number; ids: string[] }[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const publishSoon = createBatcher<OutboxRow, void>({
    maxSize: BATCH,
    maxInFlight: 1,
    maxQueued: Number.POSITIVE_INFINITY,
    gather: { ms: GAP_MS, enough: BATCH },
    async send(rows) {
      // The relay finds out why.
      await giveUpAfter(PATIENCE_MS, (signal) => publishBatch(rows, signal)).catch(onMissed);
      hold(rows, -1);
      return rows.map(() => undefined);
    },
  });

  function hold(rows: readonly OutboxRow[], sign: 1 | -1): void {
    held.rows += sign * rows.length;
    held.bytes += sign * bytesOf(rows);
  }

  async function publishBatch(rows: readonly OutboxRow[], signal: AbortSignal): Promise<void> {
    const connection = bus.connected ? await bus.whenConnected(signal) : undefined;
    if (!connection) return onMissed();
    const maxPayload = connection.info?.max_payload ?? USUAL_MAX_PAYLOAD;
    const { tooLarge, refused } = await publishEvents(connection.jetstream(), rows, maxPayload);
    // The sweep hands over what is too large, as if it had been published.
    if (tooLarge.length > 0) log.warn({ eventIds: tooLarge, maxPayload }, "too large for the bus: handed over by RPC");
    if (refused.length > 0) onMissed();
    const missed = new Set(refused);
    remember(rows.map(({ eventId }) => eventId).filter((id) => !missed.has(id)));
  }

  function remember(ids: string[]): void {
    if (ids.length === 0 || unmarked.length >= MAX_UNMARKED) return;
    unmarked.push({ at: performance.now(), ids });
    onPublished();
  }

  return {
    publish(rows) {
      if (rows.length === 0) return;
      const isFull = held.rows > MAX_WAITING || held.bytes + bytesOf(rows) > MAX_WAITING_BYTES;
      if (!bus.connected || isFull) return onMissed();
      hold(rows, 1);
      last = Promise.all(rows.map(publishSoon));
    },
    takePublished(ageMs) {
      const until = performance.now() - ageMs;
      const old = unmarked.filter(({ at }) => at <= until);
      unmarked = unmarked.filter(({ at }) => at > until);
      return old.flatMap(({ ids }) => ids);
    },
    get publishedFor() {
      const [oldest] = unmarked;
      return oldest && performance.now() - oldest.at;
    },
    async settled() {
      await last;
    },
  };
}

const bytesOf = (rows: readonly OutboxRow[]): number => rows.reduce((sum, { payload }) => sum + payload.length, 0);
