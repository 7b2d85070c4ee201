const minute = 60_000;
const hour = 60 * minute;

/** Waits between attempts in milliseconds. They end after three days, because a later mail is not useful. */
const waits = [minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour, 24 * hour];

export const longestWaitMs = Math.max(...waits);

/** Attempts while the server is unavailable do not count. */
export const maxAttempts = waits.length + 1;

/** Returns the wait after that many attempts, in milliseconds; undefined after the last. */
export function waitAfter(attempts: number): number | undefined {
  return waits[attempts - 1];
}
