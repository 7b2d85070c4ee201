import { AppError } from "@canvass/errors";

export interface FairQueueOptions {
  /** Maximum number of running calls of one owner, and of all owners. */
  perOwner: number;
  together: number;
  /** Maximum number of waiting calls of one owner. Further ones fail with `service_unavailable`. */
  mostWaiting: number;
}

interface Waiting {
  begin: () => void;
}

interface Owner {
  running: number;
  waiting: Waiting[];
}

export interface FairQueue {
  /** Rejects with the signal's reason if it aborts before the work begins. */
  run<Result>(ownerId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  readonly waiting: number;
}

/** Limits the running calls per owner and in total. Waiting owners take turns (round robin), whatever their backlog. */
export function createFairQueue({ perOwner, together, mostWaiting }: FairQueueOptions): FairQueue {
  // An owner that had a turn moves to the end of the map.
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
