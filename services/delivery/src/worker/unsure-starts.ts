/** Bounds attempts to endpoints that did not answer quickly the last time, or never yet. */
export interface UnsureStarts {
  /** Whether one may begin now. */
  available(): boolean;
  take(): void;
  /** One that was answered costs nothing. */
  answered(): void;
  /** Calls `onMore` when another may begin. */
  wake(): void;
}

const BURST = 32;
/** One of the burst comes back in this time, answered or not. */
const REFILL_MS = 20;

/**
 * Each attempt to an endpoint that hangs costs a TLS handshake and brings nothing, and hundreds of them at once take the
 * processor from all others. A token bucket that answers refill at once: endpoints that answer are not held up by it.
 */
export function createUnsureStarts(onMore: () => void): UnsureStarts {
  let left = BURST;
  let refilledAt = performance.now();
  let timer: NodeJS.Timeout | undefined;

  function available(): boolean {
    const count = Math.floor((performance.now() - refilledAt) / REFILL_MS);
    refilledAt += count * REFILL_MS;
    left = Math.min(left + count, BURST);
    return left > 0;
  }

  function fire(): void {
    timer = undefined;
    onMore();
  }

  return {
    available,
    take: () => void (left -= 1),
    answered: () => void (left = Math.min(left + 1, BURST)),
    wake: () => void (timer ??= setTimeout(fire, available() ? 0 : REFILL_MS)),
  };
}
