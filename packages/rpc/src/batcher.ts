import { AppError } from "@canvass/errors";
import { createTurns } from "./take-turns.ts";

export interface BatcherOptions<Item, Result> {
  /** Sends one batch and answers in the order of its items; a rejection fails every item of the batch. */
  send: (items: Item[]) => Promise<Result[]>;
  /** Items in one batch. */
  maxSize: number;
  /** Batches under way at once. */
  maxInFlight: number;
  /** Bytes (or another measure) of an item, and how much one batch may carry. An item larger than that goes alone. */
  weigh?: (item: Item) => number;
  maxWeight?: number;
  /** Items that may wait; more are refused with `service_unavailable`, so that a slow target cannot fill the memory. */
  maxQueued?: number;
  /**
   * On whose behalf an item is asked. When not all that waits fits into a batch, owners take turns, so that one with many
   * items keeps nobody waiting for more than a batch or two.
   */
  ownerOf?: (item: Item) => string;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Collects what is asked within one turn of the event loop into one call (the batch methods of AIP-231). When idle an
 * item leaves at the end of its own turn, so batching adds no wait; under load, batches grow by themselves while others
 * are under way.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { send, maxSize, maxInFlight, weigh, maxWeight = Number.POSITIVE_INFINITY, maxQueued = 20_000 } = options;
  const { ownerOf } = options;
  const turns = ownerOf && createTurns<Waiting<Item, Result>>(({ item }) => ownerOf(item));
  let waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let itemsInFlight = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || !mayLeave()) return;
    scheduled = true;
    setImmediate(flush);
  }

  // With nothing under way whatever waits may leave. A further batch leaves only when it has grown to the size of those
  // under way: many small ones would cost more than they save.
  function mayLeave(): boolean {
    if (waiting.length === 0 || inFlight >= maxInFlight) return false;
    return inFlight === 0 || waiting.length >= Math.min(maxSize, itemsInFlight / inFlight);
  }

  function flush(): void {
    scheduled = false;
    while (mayLeave()) {
      const batch = takeBatch();
      inFlight += 1;
      itemsInFlight += batch.length;
      void deliver(batch);
    }
  }

  function takeBatch(): Waiting<Item, Result>[] {
    const sizeOf = (items: Waiting<Item, Result>[]) =>
      weigh ? fitting(items, weigh, Math.min(maxSize, items.length), maxWeight) : maxSize;
    if (waiting.length <= sizeOf(waiting)) {
      const all = waiting;
      waiting = [];
      turns?.clear();
      return all;
    }
    if (!turns) return waiting.splice(0, sizeOf(waiting));
    const ordered = turns.order(waiting);
    const batch = ordered.slice(0, sizeOf(ordered));
    turns.served(batch);
    const taken = new Set(batch);
    waiting = waiting.filter((each) => !taken.has(each));
    return batch;
  }

  async function deliver(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await send(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error(`a batch of ${batch.length} got ${results.length} results`);
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      inFlight -= 1;
      itemsInFlight -= batch.length;
      schedule();
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxQueued) {
        reject(new AppError("service_unavailable"));
        return;
      }
      waiting.push({ item, resolve, reject });
      schedule();
    });
}

function fitting<Item>(
  waiting: readonly { item: Item }[],
  weigh: (item: Item) => number,
  maxSize: number,
  maxWeight: number,
): number {
  let weight = 0;
  for (let size = 0; size < maxSize; size += 1) {
    weight += weigh(waiting[size]!.item);
    if (weight > maxWeight) return Math.max(size, 1);
  }
  return maxSize;
}
