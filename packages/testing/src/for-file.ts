import { afterAll } from "vitest";

const longestStartMs = 240_000;

/** Waits for what all tests of a file share, which is closed after the last of them. Call it in the file, not in a test. */
export async function forFile<Started extends AsyncDisposable>(starting: Promise<Started>): Promise<Started> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("nothing has started in time")), longestStartMs);
  const started = await Promise.race([starting, late.promise]).finally(() => clearTimeout(timer));
  afterAll(() => started[Symbol.asyncDispose]());
  return started;
}
