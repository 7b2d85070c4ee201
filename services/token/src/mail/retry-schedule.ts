const minute = 60_000;
const hour = 60 * minute;

/** Waits after the first, second … attempt. Mail that nobody took for three days is of no use any more. */
const waits = [minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour, 24 * hour];

/** Attempts that a mail gets. Those at a time when the server could not be reached at all do not count. */
export const maxAttempts = waits.length + 1;

/** Milliseconds to wait after so many attempts; undefined after the last. */
export function waitAfter(attempts: number): number | undefined {
  return waits[attempts - 1];
}
