/** Clock synchronization corrects smaller differences all the time. */
const STEP_MS = 1000;

/** Remembers the latest time that it returned. Its users take the times that they write from it, so none is later. */
export interface WatchedClock {
  now: () => Date;
  /** Calls `repair` on the first call, after a failed one, and if the clock is over a second behind its latest time. */
  whenSetBack: (repair: (now: Date) => Promise<void>) => Promise<void>;
}

export function watchClock(now: () => Date): WatchedClock {
  // The first call repairs, because an earlier process may have seen a later time.
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
      // Reset before the repair, so that a jump ahead during the repair is noticed.
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
