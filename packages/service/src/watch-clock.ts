/** Clocks are corrected by less all the time. */
const STEP_MS = 1000;

/** A clock that keeps the latest time it told: nobody who asks it can have written a later one. */
export interface WatchedClock {
  now: () => Date;
  /** Calls `repair` when the clock has told a later time than it tells now, and at first; again when that failed. */
  whenSetBack: (repair: (now: Date) => Promise<void>) => Promise<void>;
}

export function watchClock(now: () => Date): WatchedClock {
  // An earlier process may have seen it ahead.
  let latest = Number.POSITIVE_INFINITY;
  return {
    now() {
      const at = now();
      latest = Math.max(latest, at.getTime());
      return at;
    },
    async whenSetBack(repair) {
      const [at, before] = [now(), latest];
      if (at.getTime() >= before - STEP_MS) return;
      // At once, so that a step ahead during the repair is kept.
      latest = at.getTime();
      try {
        await repair(at);
      } catch (error) {
        latest = Math.max(latest, before);
        throw error;
      }
    },
  };
}
