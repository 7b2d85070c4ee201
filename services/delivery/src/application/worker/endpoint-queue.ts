import type { ConcurrencyLimit } from "@canvass/fairness";
import { createEndpointLimit } from "../../domain/attempt-slots.ts";
import { endpointKey, type EndpointRef } from "../../storage/claimed-delivery.ts";

/** What this process knows of an endpoint's queue. */
export interface EndpointQueue extends EndpointRef {
  /** Attempts in flight, `beginning` included. */
  running: number;
  /** Running attempts that began while the endpoint was unresponsive or untested. */
  unresponsiveRunning: number;
  limit: ConcurrencyLimit;
  /** Number of due deliveries as far as this process knows; Infinity: many. */
  due: number;
  /** When the queue's time slice ends and the next pick decides, on the clock of `performance.now()`. */
  sliceEnds: number;
  /** Attempts that are being begun by a statement. */
  beginning: number;
  /** Lower bound of the planned times of what is due, except returned deliveries. */
  plannedFrom: Date;
  /** Nothing could be begun: picks skip the queue until then, on the clock of `performance.now()`. */
  restsUntil: number;
  /** Cancels what was too old when the webhook was resumed. */
  cancelling: Promise<void> | undefined;
}

export const EPOCH = new Date(0);

export function createEndpointQueue({ workspaceId, subscriptionId }: EndpointRef, maxRunning: number): EndpointQueue {
  return {
    workspaceId,
    subscriptionId,
    running: 0,
    unresponsiveRunning: 0,
    limit: createEndpointLimit(maxRunning),
    due: 0,
    sliceEnds: 0,
    beginning: 0,
    plannedFrom: EPOCH,
    restsUntil: 0,
    cancelling: undefined,
  };
}

const SLICE_MS = 1000;

export function setDue(queue: EndpointQueue, due: number): void {
  if (queue.due === 0) queue.sliceEnds = Number.POSITIVE_INFINITY;
  queue.due = due;
}

/**
 * A time slice starts with its first attempt. Without slices, `next_due_at` of a draining queue would stay as it was.
 */
export function startSlice(queue: EndpointQueue): void {
  queue.sliceEnds = Math.min(queue.sliceEnds, performance.now() + SLICE_MS);
}

export function hasSlot({ running, limit }: EndpointQueue): boolean {
  return running < limit.current;
}

export interface QueueTable {
  queueOf: (endpoint: EndpointRef) => EndpointQueue;
  known: (endpoint: EndpointRef) => EndpointQueue | undefined;
  all: () => Iterable<EndpointQueue>;
  /** Queues that picks skip: they know of due deliveries, begin some, or found none a moment ago. */
  busy: () => EndpointRef[];
}

const MAX_QUEUES = 5000;

export function createQueueTable(maxPerEndpoint: number): QueueTable {
  const queues = new Map<string, EndpointQueue>();

  function forgetIdle(): void {
    for (const [key, { running, due }] of queues) if (running === 0 && due === 0) queues.delete(key);
  }

  return {
    queueOf(ref) {
      const key = endpointKey(ref);
      const queue = queues.get(key) ?? createEndpointQueue(ref, maxPerEndpoint);
      queues.set(key, queue);
      return queue;
    },
    known: (ref) => queues.get(endpointKey(ref)),
    all: () => queues.values(),
    busy() {
      // Keeps the learned limits of idle queues, but not for thousands of them.
      if (queues.size > MAX_QUEUES) forgetIdle();
      const at = performance.now();
      return [...queues.values()].filter(
        ({ due, beginning, restsUntil }) => due > 0 || beginning > 0 || at < restsUntil,
      );
    },
  };
}
