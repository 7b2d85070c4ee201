const minute = 60_000;
const hour = 60 * minute;

/** Milliseconds between attempts. After three days a mail is useless. */
const waits = [minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour, 24 * hour];

export const longestWaitMs = Math.max(...waits);

/** Attempts while the server is unavailable do not count. */
export const maxAttempts = waits.length + 1;

/** Milliseconds until the next attempt; undefined after the last. */
export function waitAfter(attempts: number): number | undefined {
  return waits[attempts - 1];
}
