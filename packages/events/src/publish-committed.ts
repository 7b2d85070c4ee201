import { createBatcher } from "@canvass/fairness";
import { giveUpAfter, type Logger } from "@canvass/telemetry";
import type { Bus } from "./bus.ts";
import type { OutboxRow } from "./append-events.ts";
import { publishEvents, USUAL_MAX_PAYLOAD } from "./publish-events.ts";

export interface CommittedOptions {
  bus: Bus;
  log: Logger;
  /** Called if events were not published: the relay must read the outbox. */
  onMissed: () => void;
  /** Called if events were published: mark them once they are old enough. */
  onPublished: () => void;
}

export interface CommittedEvents {
  /** Publishes in the background. Never throws. */
  publish(rows: readonly OutboxRow[]): void;
  takePublished(ageMs: number): string[];
  /** Milliseconds since the oldest event not yet taken was published; undefined if there is none. */
  readonly publishedFor: number | undefined;
  settled(): Promise<void>;
}

const BATCH = 1000;
/** More events are left to the relay. */
const MAX_WAITING = 10_000;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** Batches to remember. Events not remembered may be published again; consumers recognize duplicates. */
const MAX_UNMARKED = 1000;
/** Pause between consecutive batches, so that they grow. The first batch after idle leaves at once. */
const LINGER_MS = 5;
/** Batch deadline. Longer than the bus may take. */
const DEADLINE_MS = 10_000;

/** Publishes events from memory right after their commit. The outbox keeps those that it misses. */
export function createCommitPublisher({ bus, log, onMissed, onPublished }: CommittedOptions): CommittedEvents {
  const held = { rows: 0, bytes: 0 };
  let unmarked: { at: number; ids: string[] }[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const publishSoon = createBatcher<OutboxRow, void>({
    maxSize: BATCH,
    maxInFlight: 1,
    maxQueued: Number.POSITIVE_INFINITY,
    linger: { ms: LINGER_MS, enough: BATCH },
    async send(rows) {
      // Errors are not logged here: the relay retries and reports them.
      await giveUpAfter(DEADLINE_MS, (signal) => publishBatch(rows, signal)).catch(onMissed);
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
    if (tooLarge.length > 0) log.warn({ eventIds: tooLarge, maxPayload }, "too large for the bus: handed over by RPC");
    if (refused.length > 0) onMissed();
    const missed = new Set(refused);
    // Too large ones count as published: the sweep sends what is published and unconfirmed by RPC.
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
