import { Refusal } from "../saving/refusal.ts";

const longestWaitMs = 15_000;

/** Retries until the server responds; calls `onAway` on each failure. Throws a `Refusal` unless a retry may succeed. */
export async function untilReached<Answer>(call: () => Promise<Answer>, onAway: () => void): Promise<Answer> {
  for (let waitMs = 1_000; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      return await call();
    } catch (error) {
      if (error instanceof Refusal && !error.isRetryable) throw error;
      onAway();
      await connection(Math.max(waitMs, error instanceof Refusal ? error.retryAfterMs : 0));
    }
  }
}

function connection(waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, waitMs);
    addEventListener("online", done);
    function done(): void {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    }
  });
}
