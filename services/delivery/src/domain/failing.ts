const LEAST_FAILURES = 10;
const LEAST_MS = 72 * 3_600_000;

export interface CountedHealth {
  /** Consecutive failures, except blocked attempts and redeliveries. */
  pausingFailures: number;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** When the webhook was created, last resumed or moved; null: unknown. */
  activeSince: Date | null;
}

/** Whether to pause a webhook because it keeps failing (contract 8.5). */
export function isFailing({ pausingFailures, lastSuccessAt, lastFailureAt, activeSince }: CountedHealth): boolean {
  if (pausingFailures < LEAST_FAILURES || !lastFailureAt || !activeSince) return false;
  const since = Math.max(activeSince.getTime(), lastSuccessAt?.getTime() ?? 0);
  return lastFailureAt.getTime() - since >= LEAST_MS;
}
