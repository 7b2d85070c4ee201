import { createFairQueue } from "@canvass/fairness";
import type { Event } from "@canvass/proto/events";
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
  /** Removes and returns the next batch. */
  take(): Received[];
  /** Extends the ack deadline of messages that have waited long. */
  renew(): void;
  /** Negatively acknowledges all messages, so that other replicas get them. */
  giveBack(): void;
}

interface Held extends Received {
  lastExtendedAt: number;
}

const MOST_HELD = 64;
const MOST_BYTES = 8 * 1024 * 1024;
const BATCH_MESSAGES = 8;
/** As many as a full message has. Each event may have twenty webhooks. */
const BATCH_EVENTS = 100;
/** The server redelivers a message 30 s after its last extension. */
const RENEW_MS = 10_000;

/** Serves workspaces round robin, so that the backlog of one does not delay the others. Keeps the order of each. */
export function createHeldMessages(now: () => number = () => performance.now()): HeldMessages {
  let held = createFairQueue<Held>();
  let bytes = 0;
  let events = 0;

  /** A batch has at least one message, whatever its number of events. */
  function takeBatch(): Held[] {
    const batch: Held[] = [];
    let left = BATCH_EVENTS;
    while (batch.length < BATCH_MESSAGES) {
      const next = held.take((each) => batch.length === 0 || each.events.length <= left);
      if (!next) break;
      batch.push(next);
      left -= next.events.length;
    }
    return batch;
  }

  return {
    get size() {
      return held.size;
    },
    get hasCapacity() {
      return held.size < MOST_HELD && bytes < MOST_BYTES;
    },
    get fillsBatch() {
      return held.size >= BATCH_MESSAGES || events >= BATCH_EVENTS;
    },
    add(received) {
      bytes += received.message.data.length;
      events += received.events.length;
      held.add(ownerOf(received.events), { ...received, lastExtendedAt: now() });
    },
    take() {
      const batch = takeBatch();
      for (const each of batch) {
        bytes -= each.message.data.length;
        events -= each.events.length;
      }
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
      held = createFairQueue();
      bytes = 0;
      events = 0;
    },
  };
}

/** The workspace of all events; empty if there are several. */
function ownerOf(events: readonly Event[]): string {
  const owners = new Set(events.map(({ workspaceId }) => workspaceId));
  const [only = ""] = owners;
  return owners.size === 1 ? only : "";
}
