import { afterAll } from "vitest";

/**
 * Waits for a resource that all tests of a file share, and disposes it after the last test. Call it at the top level of
 * the file. A resource that starts later than `withinMs` is disposed as soon as it has started.
 */
export async function sharedByFile<Started extends AsyncDisposable>(
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
