import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";

export interface WaitForOptions {
  /** Names the condition in the error of a failed wait. */
  describe: string;
  /** Default 60,000. */
  timeoutMs?: number;
}

type Truthy<T> = Exclude<T, false | 0 | 0n | "" | null | undefined>;

/** Returns the first truthy result. Retries a condition that throws; its last error becomes the cause of a timeout. */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { describe, timeoutMs = 60_000 }: WaitForOptions,
): Promise<Truthy<T>> {
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 1.5, 100)) {
    const outcome = await ask(condition);
    if (isTruthy(outcome.answer)) return outcome.answer;
    if (performance.now() > deadline) {
      throw new Error(`waited ${timeoutMs} ms in vain for ${describe}; ${outcome.report}`, { cause: outcome.error });
    }
    await sleep(pauseMs);
  }
}

function isTruthy<T>(answer: T | undefined): answer is Truthy<T> {
  return Boolean(answer);
}

interface Outcome<T> {
  answer?: T;
  error?: unknown;
  report: string;
}

async function ask<T>(condition: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    const answer = await condition();
    return { answer, report: `the last answer was ${inspect(answer)}` };
  } catch (error) {
    return { error, report: `it failed last: ${error instanceof Error ? error.message : inspect(error)}` };
  }
}
