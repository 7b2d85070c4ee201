export interface ConcurrencyLimit {
  /** Attempts that may be under way at once. */
  readonly current: number;
  /** True while the endpoint answers quickly, so that work may be fetched ahead. */
  readonly quick: boolean;
  /** Told of every attempt that ended. */
  observe(durationMs: number, answered: boolean): void;
}

const START = 10;
const FLOOR = 2;
const QUICK_MS = 1000;
const SLOW_MS = 3000;

/**
 * How many attempts to one endpoint run at once: one more after each quick answer, half after a slow or missing one
 * (additive increase, multiplicative decrease, as TCP does). So endpoints that hang hold a handful of connections
 * each, and never all that a worker has.
 */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const floor = Math.min(FLOOR, max);
  let current = Math.min(START, max);
  let quick = true;
  return {
    get current() {
      return current;
    },
    get quick() {
      return quick;
    },
    observe(durationMs, answered) {
      quick = answered && durationMs < QUICK_MS;
      if (quick) current = Math.min(current + 1, max);
      else if (!answered || durationMs > SLOW_MS) current = Math.max(Math.floor(current / 2), floor);
    },
  };
}
