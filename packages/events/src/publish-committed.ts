import type { Logger } from "@canvass/telemetry";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bus } from "./bus.ts";
import type { OutboxRow } from "./outbox.ts";
import { publishEvents, USUAL_MAX_PAYLOAD } from "./publish-events.ts";

export interface CommittedOptions {
  bus: Bus;
  log: Logger;
  /** Some were not published: the relay must look. */
  onMissed: () => void;
  /** What was published since the last take is to be marked soon. */
  onPublished: () => void;
}

export interface CommittedEvents {
  /** Publishes in the background. Never throws. */
  publish(rows: readonly OutboxRow[]): void;
  /** Removes and returns the ids of what was published `ageMs` ago or earlier. */
  takePublished(ageMs: number): string[];
  readonly hasPublished: boolean;
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
const never = new AbortController().signal;

/**
 * Publishes events right after their commit, from memory: no read, no claim. The outbox keeps what this misses, as when
 * the process dies before.
 */
export function createCommittedEvents({ bus, log, onMissed, onPublished }: CommittedOptions): CommittedEvents {
  let waiting: OutboxRow[] = [];
  let heldBytes = 0;
  let unmarked: { at: number; ids: string[] }[] = [];
  let running: Promise<void> | undefined;

  async function publishAll(): Promise<void> {
    while (waiting.length > 0) {
      const started = performance.now();
      const rows = waiting.splice(0, BATCH);
      await publishBatch(rows);
      heldBytes -= bytesOf(rows);
      if (waiting.length > 0) await sleep(Math.max(started + GAP_MS - performance.now(), 0));
    }
    running = undefined;
  }

  async function publishBatch(rows: readonly OutboxRow[]): Promise<void> {
    try {
      const connection = bus.connected ? await bus.whenConnected(never) : undefined;
      if (!connection) return onMissed();
      const maxPayload = connection.info?.max_payload ?? USUAL_MAX_PAYLOAD;
      const { tooLarge, refused } = await publishEvents(connection.jetstream(), rows, maxPayload);
      // The sweep hands over what is too large, as if it had been published.
      if (tooLarge.length > 0)
        log.warn({ eventIds: tooLarge, maxPayload }, "too large for the bus: handed over by RPC");
      if (refused.length > 0) onMissed();
      const missed = new Set(refused);
      remember(rows.map(({ eventId }) => eventId).filter((id) => !missed.has(id)));
    } catch {
      // The relay finds out why.
      onMissed();
    }
  }

  function remember(ids: string[]): void {
    if (ids.length === 0 || unmarked.length >= MAX_UNMARKED) return;
    unmarked.push({ at: performance.now(), ids });
    onPublished();
  }

  return {
    publish(rows) {
      const bytes = bytesOf(rows);
      const full = waiting.length > MAX_WAITING || heldBytes + bytes > MAX_WAITING_BYTES;
      if (!bus.connected || full) return onMissed();
      heldBytes += bytes;
      waiting.push(...rows);
      running ??= publishAll();
    },
    takePublished(ageMs) {
      const until = performance.now() - ageMs;
      const old = unmarked.filter(({ at }) => at <= until);
      unmarked = unmarked.filter(({ at }) => at > until);
      return old.flatMap(({ ids }) => ids);
    },
    get hasPublished() {
      return unmarked.length > 0;
    },
    async settled() {
      await running;
    },
  };
}

const bytesOf = (rows: readonly OutboxRow[]): number => rows.reduce((sum, { payload }) => sum + payload.length, 0);
