import { standardWaits } from "./retry-schedule.ts";

/** Milliseconds from a delivery's first attempt to its last, with the standard waits (contract 8.9). */
export const RETRY_WINDOW_MS = standardWaits.reduce((sum, seconds) => sum + seconds, 0) * 1000;

/** A resumed webhook does not send deliveries that were created before the returned time (contract 8.5). */
export function oldestToSend(resumedAt: Date): Date {
  return new Date(resumedAt.getTime() - RETRY_WINDOW_MS);
}
