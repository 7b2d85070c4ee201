/** Limits attempts to endpoints that did not respond the last time, or are untested. Each costs a TLS handshake. */
export interface SilentStarts {
  available(workspaceId: string): boolean;
  readonly waitMs: number;
  underWay: (workspaceId: string) => number;
  take(workspaceId: string): void;
  /** A response gives the start back. */
  end(workspaceId: string, answered: boolean): void;
}

const BURST = 32;
/** `count` tokens return together every `ms`, so that few statements mark the attempts. */
const REFILL = { count: 5, ms: 200 };

/** A token bucket. A workspace without such an attempt in flight may start one on credit. */
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
