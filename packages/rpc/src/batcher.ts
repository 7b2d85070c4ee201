import { AppError } from "@canvass/errors";
import { createTurns } from "./take-turns.ts";

export interface BatcherOptions<Item, Result> {
  /** Returns results in the order of the items; a rejection fails all of them. */
  send: (items: Item[]) => Promise<Result[]>;
  maxSize: number;
  maxInFlight: number;
  /** Weight of an item; a batch weighs at most `maxWeight`. A heavier item is sent alone. */
  weigh?: (item: Item) => number;
  maxWeight?: number;
  /** Default 20,000. Further items fail with `service_unavailable`, so that a slow target does not exhaust memory. */
  maxQueued?: number;
  /** Minimum milliseconds between the starts of two batches, unless `enough` items wait. */
  gather?: { ms: number; enough: number };
  /** Owners take turns (round robin) if more items wait than fit into a batch. */
  ownerOf?: (item: Item) => string;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Sends the items of one event loop turn as one call (AIP-231). Batches grow while others are in flight. */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { send, maxSize, maxInFlight, weigh, maxWeight = Number.POSITIVE_INFINITY, maxQueued = 20_000 } = options;
  const { ownerOf, gather } = options;
  const turns = ownerOf && createTurns<Waiting<Item, Result>>(({ item }) => ownerOf(item));
  let waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let itemsInFlight = 0;
  let scheduled = false;
  let gathering: NodeJS.Timeout | undefined;

  function schedule(): void {
    if (scheduled || !mayLeave()) return;
    scheduled = true;
    setImmediate(flush);
  }

  // Another batch starts only when it is as large as those in flight on average: small ones cost more than they save.
  function mayLeave(): boolean {
    if (waiting.length === 0 || inFlight >= maxInFlight) return false;
    if (gathering && waiting.length < gather!.enough) return false;
    return inFlight === 0 || waiting.length >= Math.min(maxSize, itemsInFlight / inFlight);
  }

  function flush(): void {
    scheduled = false;
    while (mayLeave()) {
      const batch = takeBatch();
      startGathering();
      inFlight += 1;
      itemsInFlight += batch.length;
      void deliver(batch);
    }
  }

  function startGathering(): void {
    if (!gather) return;
    clearTimeout(gathering);
    gathering = setTimeout(() => {
      gathering = undefined;
      schedule();
    }, gather.ms);
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
