export interface TokenBucketOptions {
  capacity: number;
  /** `count` tokens return together every `ms` milliseconds. */
  refill: { count: number; ms: number };
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}

export interface TokenBucket {
  readonly isEmpty: boolean;
  /** Milliseconds until the bucket has a token. 0: it has one. */
  readonly waitMs: number;
  /** Takes a token. Of an empty bucket it is a credit, at most the capacity. */
  take(): void;
  /** Returns a token that was not used up. */
  giveBack(): void;
}

/** Limits the rate of something: a burst of `capacity`, then `count` every `ms`. Starts full. */
export function createTokenBucket({ capacity, refill, now }: TokenBucketOptions): TokenBucket {
  let tokens = capacity;
  let refilledAt = now();

  function tokensNow(): number {
    const times = Math.floor((now() - refilledAt) / refill.ms);
    refilledAt += times * refill.ms;
    tokens = Math.min(tokens + times * refill.count, capacity);
    return tokens;
  }

  return {
    get isEmpty() {
      return tokensNow() <= 0;
    },
    get waitMs() {
      const missing = 1 - tokensNow();
      return missing <= 0 ? 0 : Math.ceil(missing / refill.count) * refill.ms - (now() - refilledAt);
    },
    take() {
      tokens = Math.max(tokensNow() - 1, -capacity);
    },
    giveBack() {
      tokens = Math.min(tokensNow() + 1, capacity);
    },
  };
}
