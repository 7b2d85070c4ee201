import { setTimeout as delay } from "node:timers/promises";
import { CanvassError } from "@canvass/sdk";
import { outageLine, recoveryLine } from "./lines.ts";

type Waiting = { signal: AbortSignal; say: (line: string) => void; pollMs: number };

/**
 * Repeats `work` while the API is unavailable, and reports that once. Throws other errors, and, when stopped, the last
 * one.
 */
export async function untilReached<Result>(
  work: () => Promise<Result>,
  { signal, say, pollMs }: Waiting,
): Promise<Result> {
  for (let isOut = false; ; isOut = true) {
    try {
      const result = await work();
      if (isOut) say(recoveryLine);
      return result;
    } catch (error) {
      if (signal.aborted || !(error instanceof CanvassError && error.retryable)) throw error;
      if (!isOut) say(outageLine(error));
      await delay(pollMs, undefined, { signal }).catch(() => Promise.reject(error));
    }
  }
}
