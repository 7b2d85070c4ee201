import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";

export interface WaitForOptions {
  /** Names what is waited for, in the error of a wait that was in vain. */
  describe: string;
  /** Default 10,000. */
  timeoutMs?: number;
}

/** T without the values that mean "not yet". */
type Truthy<T> = Exclude<T, false | 0 | 0n | "" | null | undefined>;

/**
 * Asks `condition` again and again until its answer is truthy, and returns that answer. A condition that throws is
 * asked again too; what it threw last becomes the cause of the error when the time is over.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { describe, timeoutMs = 10_000 }: WaitForOptions,
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
