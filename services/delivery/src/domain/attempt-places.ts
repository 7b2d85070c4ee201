/** The places of attempts under way, shared by workspaces. */
export interface AttemptPlaces {
  readonly full: boolean;
  /** For an attempt to an endpoint that answers; unsure: to one that did not the last time, or never yet. */
  hasRoom(workspaceId: string, unsure?: boolean): boolean;
  /** Workspaces that hold places and have no room for more. */
  withoutRoom(): string[];
  held: (workspaceId: string) => number;
  take(workspaceId: string): void;
  giveBack(workspaceId: string): void;
}

/** Of all places: left free for endpoints that answer, and for workspaces that hold none. */
const FOR_SURE = 1 / 4;
const FOR_FIRST = 1 / 20;

/**
 * A workspace may hold as many places as it leaves free (dynamic thresholds, Choudhury and Hahne 1998): one alone half of
 * all, n greedy ones together n of n + 1 parts. So one that comes later finds a place, however many endpoints of others hang.
 */
export function createAttemptPlaces(count: number): AttemptPlaces {
  const holders = new Map<string, number>();
  let free = count;
  const held = (workspaceId: string) => holders.get(workspaceId) ?? 0;

  function hasRoom(workspaceId: string, unsure = false): boolean {
    const own = held(workspaceId);
    const kept = own > 0 ? (unsure ? FOR_SURE : FOR_FIRST) : unsure ? FOR_FIRST : 0;
    return own < free && free > Math.floor(count * kept);
  }

  return {
    get full() {
      return free <= 0;
    },
    hasRoom,
    withoutRoom: () => [...holders.keys()].filter((workspaceId) => !hasRoom(workspaceId)),
    held,
    take(workspaceId) {
      holders.set(workspaceId, held(workspaceId) + 1);
      free -= 1;
    },
    giveBack(workspaceId) {
      const left = held(workspaceId) - 1;
      if (left === 0) holders.delete(workspaceId);
      else holders.set(workspaceId, left);
      free += 1;
    },
  };
}
