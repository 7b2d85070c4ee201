import { AppError } from "@canvass/errors";

export interface FairQueueOptions {
  /** Calls under way at once, of one owner and of all together. */
  perOwner: number;
  together: number;
  /** Calls of one owner that may wait; more are refused with `service_unavailable`. */
  mostWaiting: number;
}

/** Where a call waits; `leave` takes it out again. */
interface Waiting {
  begin: () => void;
}

interface Owner {
  running: number;
  waiting: Waiting[];
}

/** Runs work in its owner's turn. */
export interface FairQueue {
  /** Rejects with the signal's reason when it aborts before the work begins, and with `service_unavailable`. */
  run<Result>(ownerId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  /** Calls that wait. */
  readonly waiting: number;
}

/**
 * Shares places fairly between owners: each has a few at most, and whenever one is free the owners that wait take turns,
 * however much each of them has waiting. So nobody waits for more than a call of each of the others.
 */
export function createFairQueue({ perOwner, together, mostWaiting }: FairQueueOptions): FairQueue {
  // A map keeps the order in which owners were put in: whoever had a turn goes to its end.
  const owners = new Map<string, Owner>();
  let running = 0;
  let waiting = 0;

  function ownerOf(ownerId: string): Owner {
    const known = owners.get(ownerId);
    if (known) return known;
    const owner = { running: 0, waiting: [] };
    owners.set(ownerId, owner);
    return owner;
  }

  function beginNext(): void {
    if (running >= together) return;
    for (const [ownerId, owner] of owners) {
      if (owner.running >= perOwner || owner.waiting.length === 0) continue;
      take(ownerId, owner);
      owner.waiting.shift()!.begin();
      waiting -= 1;
      return;
    }
  }

  function take(ownerId: string, owner: Owner): void {
    owners.delete(ownerId);
    owners.set(ownerId, owner);
    owner.running += 1;
    running += 1;
  }

  function free(ownerId: string, owner: Owner): void {
    owner.running -= 1;
    running -= 1;
    forgetIdle(ownerId, owner);
    beginNext();
  }

  function forgetIdle(ownerId: string, owner: Owner): void {
    if (owner.running === 0 && owner.waiting.length === 0) owners.delete(ownerId);
  }

  function turn(ownerId: string, owner: Owner, signal: AbortSignal): Promise<void> {
    if (owner.waiting.length >= mostWaiting) throw new AppError("service_unavailable");
    return new Promise((resolve, reject) => {
      const place: Waiting = {
        begin: () => {
          signal.removeEventListener("abort", leave);
          resolve();
        },
      };
      function leave(): void {
        owner.waiting.splice(owner.waiting.indexOf(place), 1);
        waiting -= 1;
        forgetIdle(ownerId, owner);
        reject(signal.reason);
      }
      signal.addEventListener("abort", leave, { once: true });
      owner.waiting.push(place);
      waiting += 1;
    });
  }

  return {
    get waiting() {
      return waiting;
    },
    async run(ownerId, signal, work) {
      signal.throwIfAborted();
      const owner = ownerOf(ownerId);
      // Nobody else of this owner can be waiting for a place that is free.
      if (owner.running < perOwner && running < together) take(ownerId, owner);
      else await turn(ownerId, owner, signal);
      try {
        return await work();
      } finally {
        free(ownerId, owner);
      }
    },
  };
}
