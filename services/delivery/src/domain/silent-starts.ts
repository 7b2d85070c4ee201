/** Bounds attempts to endpoints that did not answer the last time, or were never tried. */
export interface SilentStarts {
  /** Whether the workspace may begin one now. */
  available(workspaceId: string): boolean;
  /** Milliseconds until one more may begin. */
  readonly waitMs: number;
  /** Of the workspace, under way. */
  underWay: (workspaceId: string) => number;
  take(workspaceId: string): void;
  /** One that was answered costs nothing. */
  end(workspaceId: string, answered: boolean): void;
}

const BURST = 32;
/** So many of the burst come back in this time, answered or not: together, so that statements about them are few. */
const REFILL = { count: 5, ms: 200 };

/**
 * Each attempt to an endpoint that hangs costs a TLS handshake and brings nothing, and hundreds of them at once take the
 * processor from all others. A token bucket that answers refill at once: endpoints that answer, also slowly, are not held up by it. A
 * workspace's only one does not wait for the bucket, which others may have emptied; it owes what it takes. `now` is in milliseconds.
 */
export function createSilentStarts(now: () => number): SilentStarts {
  const underWay = new Map<string, number>();
  let left = BURST;
  let refilledAt = now();

  function refill(): void {
    const times = Math.floor((now() - refilledAt) / REFILL.ms);
    refilledAt += times * REFILL.ms;
    left = Math.min(left + times * REFILL.count, BURST);
  }

  return {
    available(workspaceId) {
      refill();
      return left > 0 || !underWay.has(workspaceId);
    },
    get waitMs() {
      refill();
      return left > 0 ? 0 : Math.ceil((1 - left) / REFILL.count) * REFILL.ms - (now() - refilledAt);
    },
    underWay: (workspaceId) => underWay.get(workspaceId) ?? 0,
    take(workspaceId) {
      underWay.set(workspaceId, (underWay.get(workspaceId) ?? 0) + 1);
      left = Math.max(left - 1, -BURST);
    },
    end(workspaceId, answered) {
      const others = underWay.get(workspaceId)! - 1;
      if (others === 0) underWay.delete(workspaceId);
      else underWay.set(workspaceId, others);
      if (answered) left = Math.min(left + 1, BURST);
    },
  };
}
