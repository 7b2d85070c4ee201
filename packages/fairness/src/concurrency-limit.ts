export interface ConcurrencyLimitOptions {
  initial: number;
  min: number;
  /** Caps `initial` and `min`, too. */
  max: number;
  /** A response within this time raises the limit. */
  quickMs: number;
  /** A response after more than this time halves the limit, as a failed call does. */
  slowMs: number;
}

export interface ConcurrencyLimit {
  /** Calls that may be in flight. */
  readonly current: number;
  /** The last call got a response. False before the first. */
  readonly responds: boolean;
  /** The last call got a quick response. False before the first. */
  readonly quick: boolean;
  observe(durationMs: number, responded: boolean): void;
}

/**
 * Additive increase, multiplicative decrease, as in TCP (RFC 5681): a callee gets as many calls as it handles quickly.
 */
export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { max, quickMs, slowMs } = options;
  const min = Math.min(options.min, max);
  let current = Math.min(options.initial, max);
  let responds = false;
  let quick = false;

  return {
    get current() {
      return current;
    },
    get responds() {
      return responds;
    },
    get quick() {
      return quick;
    },
    observe(durationMs, responded) {
      responds = responded;
      quick = responded && durationMs < quickMs;
      if (quick) current = Math.min(current + 1, max);
      else if (!responded || durationMs > slowMs) current = Math.max(Math.floor(current / 2), min);
    },
  };
}
