import type { Event } from "@canvass/proto/events";
import { createTurns } from "@canvass/rpc";
import type { JsMsg } from "nats";

/** A message of the bus and its events; none where they cannot be read. */
export interface Received {
  message: JsMsg;
  events: readonly Event[];
}

/** Messages that were pulled and wait to be handled. */
export interface HeldMessages {
  readonly size: number;
  /** More may be pulled. */
  readonly hasRoom: boolean;
  readonly fillsBatch: boolean;
  add(received: Received): void;
  /** Removes the next batch. */
  take(): Received[];
  /** Tells the server that what waits long is not lost. */
  renew(): void;
  /** Gives all back, for other replicas. */
  giveBack(): void;
}

interface Held extends Received {
  /** The workspace of all its events, or empty: of several. */
  owner: string;
  /** Milliseconds, when the server was told of it last. */
  toldAt: number;
}

const MOST_HELD = 64;
const MOST_BYTES = 8 * 1024 * 1024;
const BATCH_MESSAGES = 8;
/** A full message: each event may have twenty webhooks. */
const BATCH_EVENTS = 100;
/** The server redelivers what it was not told of for 30 s. */
const RENEW_MS = 10_000;

/**
 * Workspaces take turns: one that completes thousands at once does not keep the events of others waiting behind them. Those of
 * one workspace keep their order. `now` is in milliseconds.
 */
export function createHeldMessages(now: () => number = () => performance.now()): HeldMessages {
  let held: Held[] = [];
  let bytes = 0;
  const turns = createTurns<Held>(({ owner }) => owner);

  return {
    get size() {
      return held.length;
    },
    get hasRoom() {
      return held.length < MOST_HELD && bytes < MOST_BYTES;
    },
    get fillsBatch() {
      return held.length >= BATCH_MESSAGES || held.reduce((sum, { events }) => sum + events.length, 0) >= BATCH_EVENTS;
    },
    add(received) {
      bytes += received.message.data.length;
      held.push({ ...received, owner: ownerOf(received.events), toldAt: now() });
    },
    take() {
      const batch = firstBatch(turns.order(held));
      turns.served(batch);
      const taken = new Set(batch);
      held = held.filter((each) => !taken.has(each));
      for (const { message } of batch) bytes -= message.data.length;
      if (held.length === 0) turns.clear();
      return batch;
    },
    renew() {
      for (const each of held) {
        if (now() - each.toldAt < RENEW_MS) continue;
        each.message.working();
        each.toldAt = now();
      }
    },
    giveBack() {
      for (const { message } of held) message.nak();
      held = [];
      bytes = 0;
    },
  };
}

function ownerOf(events: readonly Event[]): string {
  const owners = new Set(events.map(({ workspaceId }) => workspaceId));
  const [only = ""] = owners;
  return owners.size === 1 ? only : "";
}

function firstBatch(ordered: readonly Held[]): Held[] {
  let events = 0;
  const end = ordered.slice(0, BATCH_MESSAGES).findIndex((each, index) => {
    events += each.events.length;
    return index > 0 && events > BATCH_EVENTS;
  });
  return ordered.slice(0, end < 0 ? BATCH_MESSAGES : end);
}
