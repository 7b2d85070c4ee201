const LEAST_FAILURES = 10;
const LEAST_MS = 72 * 3_600_000;

export interface CountedHealth {
  /** In a row, without blocked attempts and redeliveries. */
  pausingFailures: number;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** When the webhook was created, last resumed or moved; null: not known. */
  activeSince: Date | null;
}

/** Whether a webhook keeps failing, so that it is to be paused (contract 8.5). */
export function isFailing({ pausingFailures, lastSuccessAt, lastFailureAt, activeSince }: CountedHealth): boolean {
  if (pausingFailures < LEAST_FAILURES || !lastFailureAt || !activeSince) return false;
  const since = Math.max(activeSince.getTime(), lastSuccessAt?.getTime() ?? 0);
  return lastFailureAt.getTime() - since >= LEAST_MS;
}
