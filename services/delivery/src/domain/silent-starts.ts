/** Limits attempts to endpoints that did not respond the last time, or are untested. */
export interface SilentStarts {
  available(workspaceId: string): boolean;
  readonly waitMs: number;
  /** Such attempts of the workspace in flight. */
  underWay: (workspaceId: string) => number;
  take(workspaceId: string): void;
  /** A response gives the start back. */
  end(workspaceId: string, answered: boolean): void;
}

const BURST = 32;
/** `count` tokens return together every `ms`, so that few statements mark the attempts. */
const REFILL = { count: 5, ms: 200 };

/**
 * Attempts to hanging endpoints cost TLS handshakes, which take the CPU from all others, so a token bucket limits them.
 * A response refills it at once and thus delays no endpoint that responds. A workspace with no such attempt in flight
 * may begin one on credit if others emptied the bucket. `now` is in milliseconds.
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
