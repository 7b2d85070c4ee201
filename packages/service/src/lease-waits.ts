import type { Call } from "@canvass/rpc";
import { LRUCache } from "lru-cache";
import { setTimeout as delay } from "node:timers/promises";

/**
 * How long whoever asked how a survey or link collects may rely on the answer, in milliseconds. Thousands of answers a second
 * then cost a few questions, and settings still act at once: a change is answered only after every lease given before
 * it has ended, so no answer submitted later can meet the old state. Durations only: clocks need not agree.
 */
export const collectionLeaseMs = 50;

/** Waits until no lease given before a committed change is left. */
export interface LeaseWaits {
  /** After the commit of a change. */
  afterChange(call: Call): Promise<void>;
  /** Before its answer is repeated: as long, unless this process knows that it has been waited for. */
  beforeReplay(call: Call): Promise<void>;
}

export function createLeaseWaits(): LeaseWaits {
  // Shorter than an idempotency key lives, so that a key is forgotten here before it may name another change.
  const ended = new LRUCache<string, true>({ max: 10_000, ttl: 60 * 60 * 1000 });

  async function afterChange(call: Call): Promise<void> {
    await delay(collectionLeaseMs);
    const name = nameOf(call);
    if (name) ended.set(name, true);
  }

  return {
    afterChange,
    async beforeReplay(call) {
      const name = nameOf(call);
      if (!name || !ended.has(name)) await afterChange(call);
    },
  };
}

/** The change's name: that of its idempotency key. */
function nameOf({ caller, idempotency }: Call): string | undefined {
  return idempotency && JSON.stringify([caller.workspaceId, idempotency.scope, idempotency.key]);
}
