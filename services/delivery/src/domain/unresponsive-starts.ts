import { createTokenBucket } from "@canvass/fairness";

/** Limits attempts to endpoints that did not respond the last time, or are untested. Each costs a TLS handshake. */
export interface UnresponsiveStarts {
  available(workspaceId: string): boolean;
  readonly waitMs: number;
  running: (workspaceId: string) => number;
  take(workspaceId: string): void;
  /** A response gives the start back. */
  end(workspaceId: string, responded: boolean): void;
}

/** Tokens return several at a time, so that one statement begins several attempts. */
const TOKENS = { capacity: 32, refill: { count: 5, ms: 200 } };

/** A token bucket. A workspace without such an attempt in flight may start one on credit. */
export function createUnresponsiveStarts(now: () => number): UnresponsiveStarts {
  const bucket = createTokenBucket({ ...TOKENS, now });
  const running = new Map<string, number>();

  return {
    available: (workspaceId) => !bucket.isEmpty || !running.has(workspaceId),
    get waitMs() {
      return bucket.waitMs;
    },
    running: (workspaceId) => running.get(workspaceId) ?? 0,
    take(workspaceId) {
      running.set(workspaceId, (running.get(workspaceId) ?? 0) + 1);
      bucket.take();
    },
    end(workspaceId, responded) {
      const others = running.get(workspaceId)! - 1;
      if (others === 0) running.delete(workspaceId);
      else running.set(workspaceId, others);
      if (responded) bucket.giveBack();
    },
  };
}
