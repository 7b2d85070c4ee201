import { setTimeout as delay } from "node:timers/promises";

/**
 * How long whoever asked how a survey collects may rely on the answer, in milliseconds. Thousands of answers a second
 * then cost a few questions, and settings still act at once: a change is answered only after every lease given before
 * it has ended, so no answer submitted later can meet the old state. Durations only: clocks need not agree.
 */
export const collectionLeaseMs = 50;

/** Resolves when every lease given before this moment has ended. Wait for it after the commit of a change. */
export async function leasesEnd(): Promise<void> {
  await delay(collectionLeaseMs);
}
