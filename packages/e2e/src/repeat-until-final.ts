import { setTimeout as delay } from "node:timers/promises";
import type { ApiResponse } from "./api-client.ts";

export interface Patience {
  /** Names the request in the timeout error. */
  describe: string;
  /** Default 60,000. */
  patienceMs?: number;
}

const longestPauseMs = 500;

/**
 * Whether the response asks the client to repeat the request (contract 1.3): rate limit, unavailable, timeout, or still
 * running.
 */
export function isRetryable({ status, body }: ApiResponse): boolean {
  return [429, 503, 504].includes(status) || body.error?.code === "idempotency_in_progress";
}

/**
 * Repeats a request while its response asks for it, each time after `Retry-After`, or a short pause without it. `send`
 * returns undefined if there is no response. On timeout returns the last response, or throws if there is none.
 */
export async function repeatUntilFinal(
  send: () => Promise<ApiResponse | undefined>,
  { describe, patienceMs = 60_000 }: Patience,
): Promise<ApiResponse> {
  const end = performance.now() + patienceMs;
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const answer = await send();
    if (answer && !isRetryable(answer)) return answer;
    const waitMs = 1_000 * Number(answer?.headers.get("retry-after") ?? pauseMs / 1_000);
    if (performance.now() + waitMs > end) {
      if (answer) return answer;
      throw new Error(`${describe} got no answer in ${patienceMs} ms`);
    }
    await delay(waitMs);
  }
}
