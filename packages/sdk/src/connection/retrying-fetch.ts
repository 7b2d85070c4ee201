import { CanvassError } from "../errors/canvass-error.ts";
import { isRepeatable, mayRepeat } from "./may-repeat.ts";
import { backoff, longestTimerMs, sleep } from "./pause.ts";
import { retryAfterMs } from "./retry-after.ts";
import { isUpload, sendingMs, sendOnce } from "./send-once.ts";

export interface RetryLimits {
  deadlineMs: number;
  retries: number;
  /** Longest wait for one response. Default: 35,000, more than the longest deadline of the API (contract 7.7). */
  attemptMs?: number;
}

/**
 * A `fetch` that repeats a request that only reads or has an idempotency key (contract 3.4), after a failed connection
 * and while the response is retryable, and any request after a retryable 429. Waits as `Retry-After` asks. Throws a
 * `CanvassError` with the code `deadline_passed` at the deadline: `deadlineMs` plus the time that the request's body
 * may take to arrive. Of a streamed response only the head must come by then; uploads have no deadline.
 */
export function retryingFetch(
  send: (request: Request) => Promise<Response>,
  { deadlineMs, retries, attemptMs = 35_000 }: RetryLimits,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const deadline = new AbortController();
    const bodyMs = await sendingMs(request);
    const longestMs = isUpload(request) ? Infinity : deadlineMs + bodyMs;
    const endsAt = Date.now() + longestMs;
    const timer =
      longestMs < Infinity
        ? setTimeout(() => deadline.abort(deadlinePassed(deadlineMs)), Math.min(longestMs, longestTimerMs))
        : undefined;
    const signal = AbortSignal.any([request.signal, deadline.signal]);
    try {
      for (let failures = 0; ; failures++) {
        const outcome = await sendOnce(request, send, { signal, attemptMs: attemptMs + bodyMs }).catch(
          (error: Error) => error,
        );
        signal.throwIfAborted();
        const pause = failures < retries ? await pauseAfter(outcome, request, failures) : undefined;
        if (pause === undefined || Date.now() + pause >= endsAt) {
          if (outcome instanceof Response) return outcome;
          throw outcome;
        }
        if (outcome instanceof Response) await outcome.body?.cancel();
        await sleep(pause, signal);
      }
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Milliseconds until the next attempt; undefined if there is none. */
async function pauseAfter(outcome: Response | Error, request: Request, failures: number): Promise<number | undefined> {
  if (!(outcome instanceof Response)) return isRepeatable(request) ? backoff(failures) : undefined;
  if (!(await mayRepeat(request, outcome))) return undefined;
  const asked = retryAfterMs(outcome.headers);
  // Callers that were refused together do not return together.
  return asked === undefined ? backoff(failures) : asked + backoff(0);
}

const deadlinePassed = (deadlineMs: number) =>
  new CanvassError({
    code: "deadline_passed",
    message: `The call did not succeed within ${deadlineMs} ms.`,
    suggestion: "Repeat it, with the same `idempotencyKey` if it is a write, or allow it a longer `deadlineMs`.",
    retryable: true,
    details: {},
  });
