import { createConcurrencyLimit, type ConcurrencyLimit } from "@canvass/fairness";

export interface AttemptSlots {
  readonly full: boolean;
  /** `unsure`: the endpoint did not respond quickly to its last attempt, or is untested. */
  hasCapacity(workspaceId: string, unsure?: boolean): boolean;
  withoutCapacity(): string[];
  held: (workspaceId: string) => number;
  take(workspaceId: string): void;
  release(workspaceId: string): void;
}

/** Shares of all slots kept free: for quick endpoints, and for workspaces that hold none. */
const FOR_QUICK = 1 / 4;
const FOR_FIRST = 1 / 20;

/** A workspace may hold as many slots as it leaves free (dynamic thresholds, Choudhury and Hahne 1998). */
export function createAttemptSlots(count: number): AttemptSlots {
  const holders = new Map<string, number>();
  let free = count;
  const held = (workspaceId: string) => holders.get(workspaceId) ?? 0;

  function hasCapacity(workspaceId: string, unsure = false): boolean {
    const own = held(workspaceId);
    const kept = own > 0 ? (unsure ? FOR_QUICK : FOR_FIRST) : unsure ? FOR_FIRST : 0;
    return own < free && free > Math.floor(count * kept);
  }

  return {
    get full() {
      return free <= 0;
    },
    hasCapacity,
    withoutCapacity: () => [...holders.keys()].filter((workspaceId) => !hasCapacity(workspaceId)),
    held,
    take(workspaceId) {
      holders.set(workspaceId, held(workspaceId) + 1);
      free -= 1;
    },
    release(workspaceId) {
      const left = held(workspaceId) - 1;
      if (left === 0) holders.delete(workspaceId);
      else holders.set(workspaceId, left);
      free += 1;
    },
  };
}

/** The attempts that may be in flight to one endpoint. One that hangs soon holds few connections. */
export function createEndpointLimit(max: number): ConcurrencyLimit {
  return createConcurrencyLimit({ initial: 10, min: 2, max, quickMs: 1000, slowMs: 3000 });
}
