/** The places of attempts under way, shared by workspaces. */
export interface AttemptPlaces {
  readonly full: boolean;
  hasRoom(workspaceId: string): boolean;
  /** Workspaces that hold places and have no room for more. */
  withoutRoom(): string[];
  take(workspaceId: string): void;
  giveBack(workspaceId: string): void;
}

/**
 * A workspace may hold as many places as it leaves free (dynamic thresholds, Choudhury and Hahne 1998): one alone half of
 * all, n greedy ones together n of n + 1 parts. So one that comes later finds a place, however many endpoints of others hang.
 */
export function createAttemptPlaces(count: number): AttemptPlaces {
  const held = new Map<string, number>();
  let free = count;
  const hasRoom = (workspaceId: string) => (held.get(workspaceId) ?? 0) < free;
  return {
    get full() {
      return free <= 0;
    },
    hasRoom,
    withoutRoom: () => [...held.keys()].filter((workspaceId) => !hasRoom(workspaceId)),
    take(workspaceId) {
      held.set(workspaceId, (held.get(workspaceId) ?? 0) + 1);
      free -= 1;
    },
    giveBack(workspaceId) {
      const left = held.get(workspaceId)! - 1;
      if (left === 0) held.delete(workspaceId);
      else held.set(workspaceId, left);
      free += 1;
    },
  };
}
