import type { EndpointRef } from "../../storage/claimed-delivery.ts";
import { createEndpointQueue, endpointKey, type EndpointQueue } from "./endpoint-queue.ts";

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
