import { setTimeout as delay } from "node:timers/promises";
import type { Api } from "@canvass/sdk";
import { forwardEvent, isSuccess, type Attempt } from "./forward-event.ts";

export type Delivery = {
  forward: string;
  secret: string;
  stop: AbortSignal;
  /** Gets each attempt, and in how many milliseconds the next follows. */
  onAttempt: (event: Api.FeedEvent, attempt: Attempt, nextInMs: number | undefined) => void;
  pauseMs?: ((failures: number) => number) | undefined;
};

/** Attempts of a receiver that is there and refuses. */
const mostAttempts = 4;

/** Waits of 1, 2, 4, then 5 seconds. */
const doubling = (failures: number): number => Math.min(5_000, 1_000 * 2 ** (failures - 1));

/**
 * Forwards an event until the receiver takes it, always under the same `webhook-id`. A receiver that is not there is
 * waited for; one that refuses is passed over after four attempts, so that one event does not hold up all others.
 * Returns `stopped` if the program is to end first.
 */
export async function deliverEvent(
  event: Api.FeedEvent,
  { forward, secret, stop, onAttempt, pauseMs = doubling }: Delivery,
): Promise<"delivered" | "passed over" | "stopped"> {
  let refused = 0;
  for (let failures = 1; !stop.aborted; failures++) {
    const attempt = await forwardEvent(event, forward, secret);
    if (!isSuccess(attempt) && !attempt.absent) refused += 1;
    const ended = isSuccess(attempt) || refused >= mostAttempts;
    onAttempt(event, attempt, ended ? undefined : pauseMs(failures));
    if (ended) return isSuccess(attempt) ? "delivered" : "passed over";
    await delay(pauseMs(failures), undefined, { signal: stop }).catch(() => undefined);
  }
  return "stopped";
}
