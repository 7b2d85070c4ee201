export interface RateLimitStatus {
  allowed: boolean;
  remaining: number;
  resetsInSeconds: number;
}

interface Minute {
  calls: number;
  endsAt: number;
}

const minuteMs = 60_000;
/** Clock synchronization corrects smaller differences all the time. */
const stepMs = 1_000;

export interface CallCounter {
  /** Counts a call and returns the status. With 0 it counts none, but may start a minute. */
  (key: string, now: number, calls?: 0 | 1): RateLimitStatus;
  /** Subtracts a call that was counted at `countedAt`, unless its minute is over. */
  refund: (key: string, countedAt: number) => void;
}

/** Counts calls by key, in minutes that start when a key is first used. Refused calls count too (contract 5.3). */
export function createCallCounter(limit: number, maxKeys = 100_000): CallCounter {
  const minutes = new Map<string, Minute>();

  function begin(key: string, now: number): Minute {
    minutes.delete(key);
    let looked = 0;
    // The map is ordered by start. Removing two expired minutes for each new one keeps only those of the last minute.
    for (const [other, { endsAt }] of minutes) {
      if (looked === 2 || (isUnderWay(endsAt, now) && minutes.size < maxKeys)) break;
      minutes.delete(other);
      looked += 1;
    }
    const minute = { calls: 0, endsAt: now + minuteMs };
    minutes.set(key, minute);
    return minute;
  }

  function count(key: string, now: number, calls: 0 | 1 = 1): RateLimitStatus {
    let minute = minutes.get(key);
    if (minute === undefined || !isUnderWay(minute.endsAt, now)) minute = begin(key, now);
    minute.calls += calls;
    return rateLimitStatus(limit, minute.calls, minute.endsAt - now);
  }

  function refund(key: string, countedAt: number): void {
    const minute = minutes.get(key);
    if (minute === undefined || countedAt < minute.endsAt - minuteMs) return;
    minute.calls = Math.max(0, minute.calls - 1);
  }

  return Object.assign(count, { refund });
}

/** A minute that ends later than in a minute began before the clock was set back. */
export function isUnderWay(endsAt: number, now: number): boolean {
  return endsAt > now && endsAt <= now + minuteMs + stepMs;
}

export function rateLimitStatus(limit: number, calls: number, leftMs: number): RateLimitStatus {
  return {
    allowed: calls <= limit,
    remaining: Math.max(0, limit - calls),
    resetsInSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
  };
}
