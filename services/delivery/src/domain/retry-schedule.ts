/** Attempts of one delivery (contract 8.9). */
export const MAX_ATTEMPTS = 9;

/** Seconds to wait before attempts 2 to 9 (contract 8.9). */
export const standardWaits: readonly number[] = [30, 300, 1800, 7200, 18_000, 36_000, 86_400, 172_800];

const JITTER = 0.1;

/**
 * When the next attempt is due, or undefined after the last. `number` is the attempt that failed, from 1, begun at
 * `attemptedAt`; `random` gives numbers from 0 to 1. Each wait varies by up to a tenth, so that the deliveries of an
 * outage do not come back as a wave.
 */
export function nextAttemptAt(
  number: number,
  attemptedAt: Date,
  waits: readonly number[],
  random: () => number,
): Date | undefined {
  const seconds = waits[number - 1];
  if (number >= MAX_ATTEMPTS || seconds === undefined) return undefined;
  const factor = 1 + JITTER * (2 * random() - 1);
  return new Date(attemptedAt.getTime() + Math.round(seconds * 1000 * factor));
}

/** Whether a text may stand in `CANVASS_WEBHOOK_RETRY_SECONDS`: eight waits, separated by commas, or nothing. */
export function areWaits(text: string): boolean {
  const waits = readWaits(text);
  return waits.length === MAX_ATTEMPTS - 1 && waits.every((wait) => Number.isFinite(wait) && wait >= 0);
}

/** Reads such a text. Empty: the standard waits. */
export function readWaits(text: string): readonly number[] {
  if (text.trim() === "") return standardWaits;
  return text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
}
