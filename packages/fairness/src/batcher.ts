import { AppError } from "@canvass/errors";
import { createFairQueue } from "./fair-queue.ts";

export interface BatcherOptions<Item, Result> {
  /** Returns results in the order of the items. An AppError is its item's own; a rejection fails all of them. */
  send: (items: Item[], timeoutMs: number) => Promise<(Result | AppError)[]>;
  maxSize: number;
  maxInFlight: number;
  /** A batch weighs at most `maxWeight`. A heavier item is sent alone, one such at a time. */
  weightOf?: (item: Item) => number;
  maxWeight?: number;
  /** Default 20,000. Further items fail with `service_unavailable`, so that a slow target does not exhaust memory. */
  maxQueued?: number;
  /**
   * Milliseconds from an item's arrival to its result: it may wait for half of them, and `send` gets the other half as
   * its time limit. An item that waited longer fails unsent with `deadline_exceeded`. Default: no limit.
   */
  deadlineMs?: number;
  /** Minimum milliseconds between the starts of two batches, unless `enough` items wait. */
  linger?: { ms: number; enough: number };
  /** Owners are served round robin if more items wait than fit into a batch. */
  ownerOf?: (item: Item) => string;
  /** A batch has items of one owner, and an owner one batch in flight, so that slow owners do not delay others. */
  oneOwnerPerBatch?: boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  ownerId: string;
  weight: number;
  at: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Batch<Item, Result> {
  items: Waiting<Item, Result>[];
  weight: number;
}

/** Sends the items of one event loop turn as one call (AIP-231). Batches grow while others are in flight. */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { send, maxSize, maxInFlight, maxWeight = Number.POSITIVE_INFINITY, maxQueued = 20_000 } = options;
  const { weightOf = () => 0, ownerOf = () => "", oneOwnerPerBatch = false, linger } = options;
  const halfMs = (options.deadlineMs ?? Number.POSITIVE_INFINITY) / 2;
  const waiting = createFairQueue<Waiting<Item, Result>>();
  const inFlight = new Set<Batch<Item, Result>>();
  let itemsInFlight = 0;
  let scheduled = false;
  let lingering: NodeJS.Timeout | undefined;

  function schedule(): void {
    if (scheduled || !mayLeave()) return;
    scheduled = true;
    setImmediate(flush);
  }

  // Another batch starts only when it is as large as those in flight on average: small ones cost more than they save.
  function mayLeave(): boolean {
    if (waiting.size === 0 || inFlight.size >= maxInFlight) return false;
    if (lingering && waiting.size < linger!.enough) return false;
    return inFlight.size === 0 || oneOwnerPerBatch || waiting.size >= Math.min(maxSize, itemsInFlight / inFlight.size);
  }

  function flush(): void {
    scheduled = false;
    while (mayLeave()) {
      const batch = takeBatch();
      if (batch.items.length === 0) return;
      startLingering();
      void deliver(batch);
    }
  }

  function startLingering(): void {
    if (!linger) return;
    clearTimeout(lingering);
    lingering = setTimeout(() => {
      lingering = undefined;
      schedule();
    }, linger.ms);
  }

  function takeBatch(): Batch<Item, Result> {
    const batch: Batch<Item, Result> = { items: [], weight: 0 };
    const earliest = performance.now() - halfMs;
    const rejectsLate = ({ at, reject }: Waiting<Item, Result>): boolean => {
      if (at < earliest) reject(new AppError("deadline_exceeded"));
      return at < earliest;
    };
    while (batch.items.length < maxSize) {
      const next = waiting.take((each) => mayJoin(batch, each), rejectsLate);
      if (!next) break;
      batch.items.push(next);
      batch.weight += next.weight;
    }
    return batch;
  }

  function mayJoin(batch: Batch<Item, Result>, { ownerId, weight }: Waiting<Item, Result>): boolean {
    const [first] = batch.items;
    if (first) return batch.weight + weight <= maxWeight && (!oneOwnerPerBatch || ownerId === first.ownerId);
    const others = [...inFlight];
    if (weight > maxWeight && others.some((other) => other.weight > maxWeight)) return false;
    return !oneOwnerPerBatch || !others.some((other) => other.items[0]!.ownerId === ownerId);
  }

  async function deliver(batch: Batch<Item, Result>): Promise<void> {
    const { items } = batch;
    inFlight.add(batch);
    itemsInFlight += items.length;
    try {
      const results = await send(
        items.map(({ item }) => item),
        halfMs,
      );
      if (results.length !== items.length) throw new Error(`a batch of ${items.length} got ${results.length} results`);
      for (const [index, { resolve, reject }] of items.entries()) {
        const result = results[index] as Result | AppError;
        if (result instanceof AppError) reject(result);
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of items) reject(error);
    } finally {
      inFlight.delete(batch);
      itemsInFlight -= items.length;
      schedule();
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.size >= maxQueued) {
        reject(new AppError("service_unavailable"));
        return;
      }
      const ownerId = ownerOf(item);
      const weight = weightOf(item);
      // Light items overtake heavy ones of the same owner.
      const queueId = weight > maxWeight ? `${ownerId} heavy` : ownerId;
      waiting.add(queueId, { item, ownerId, weight, at: performance.now(), resolve, reject });
      schedule();
    });
}
