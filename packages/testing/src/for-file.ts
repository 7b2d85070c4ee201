import { afterAll } from "vitest";

/**
 * Waits for what all tests of a file share, which is closed after the last of them. Call it in the file, not in a test.
 * What starts later than `withinMs` is closed as soon as it has started.
 */
export async function forFile<Started extends AsyncDisposable>(
  starting: Promise<Started>,
  withinMs = 240_000,
): Promise<Started> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Error("nothing has started in time"));
    starting.then((started) => started[Symbol.asyncDispose]()).catch(() => undefined);
  }, withinMs);
  const started = await Promise.race([starting, late.promise]).finally(() => clearTimeout(timer));
  afterAll(() => started[Symbol.asyncDispose]());
  return started;
}
