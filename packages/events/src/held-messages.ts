import type { Event } from "@canvass/proto/events";
import { createTurns } from "@canvass/rpc";
import type { JsMsg } from "nats";

/** A message from the bus and its events; no events if it cannot be decoded. */
export interface Received {
  message: JsMsg;
  events: readonly Event[];
}

export interface HeldMessages {
  readonly size: number;
  readonly hasCapacity: boolean;
  readonly fillsBatch: boolean;
  add(received: Received): void;
  take(): Received[];
  /** Extends the ack deadline of messages that have waited long. */
  renew(): void;
  /** Negatively acknowledges all messages, so that other replicas get them. */
  giveBack(): void;
}

interface Held extends Received {
  /** The workspace of all events; empty if there are several. */
  owner: string;
  lastExtendedAt: number;
}

const MOST_HELD = 64;
const MOST_BYTES = 8 * 1024 * 1024;
const BATCH_MESSAGES = 8;
/** As many as a full message has. Each event may have twenty webhooks. */
const BATCH_EVENTS = 100;
/** The server redelivers a message 30 s after its last extension. */
const RENEW_MS = 10_000;

/** Makes workspaces take turns, so that the backlog of one does not delay the others. Keeps the order of each. */
export function createHeldMessages(now: () => number = () => performance.now()): HeldMessages {
  let held: Held[] = [];
  let bytes = 0;
  const turns = createTurns<Held>(({ owner }) => owner);

  return {
    get size() {
      return held.length;
    },
    get hasCapacity() {
      return held.length < MOST_HELD && bytes < MOST_BYTES;
    },
    get fillsBatch() {
      return held.length >= BATCH_MESSAGES || held.reduce((sum, { events }) => sum + events.length, 0) >= BATCH_EVENTS;
    },
    add(received) {
      bytes += received.message.data.length;
      held.push({ ...received, owner: ownerOf(received.events), lastExtendedAt: now() });
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
        if (now() - each.lastExtendedAt < RENEW_MS) continue;
        each.message.working();
        each.lastExtendedAt = now();
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
