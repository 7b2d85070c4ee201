import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { GivenUp, giveUpAfter, lazy, singleFlight } from "./single-flight.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work, named by how it ends. */
const ends: Record<string, () => Promise<string> | string> = {
  "returns at once": () => "at once",
  "returns later": () => Promise.resolve("later"),
  "throws at once": () => {
    throw new Error("at once");
  },
  "throws later": () => Promise.reject(new Error("later")),
  hangs: () => new Promise<string>(() => undefined),
};

describe.each(Object.keys(ends))("a run that %s", (end) => {
  test("is shared, and leaves nothing behind for the next", async () => {
    const work = vi.fn<() => Promise<string> | string>(() => "good").mockImplementationOnce(ends[end]!);
    const run = singleFlight(work, { longestMs: 5_000 });
    const [first, second] = [run(), run()];
    expect(second).toBe(first);
    const outcome = first.catch((error: Error) => error);
    await vi.advanceTimersByTimeAsync(5_000);
    await outcome;
    expect(work).toHaveBeenCalledOnce();
    expect(await run()).toBe("good");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is cached by `lazy` only if it returned", async () => {
    const make = vi.fn<() => Promise<string> | string>(() => "good").mockImplementationOnce(ends[end]!);
    const thing = lazy(make);
    const first = Promise.allSettled([thing(), thing()]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await first).map(({ status }) => status)).toEqual(
      Array(2).fill(end.startsWith("returns") ? "fulfilled" : "rejected"),
    );
    expect(make).toHaveBeenCalledOnce();
    expect([await thing(), await thing()]).toEqual(Array(2).fill(end.startsWith("returns") ? end.slice(8) : "good"));
    expect(make).toHaveBeenCalledTimes(end.startsWith("returns") ? 1 : 2);
  });
});

test("runs of other keys continue independently", async () => {
  const run = singleFlight((key: string) => (key === "hangs" ? new Promise<string>(() => undefined) : key));
  const hanging = run("hangs").catch((error: Error) => error);
  expect(await run("other")).toBe("other");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await hanging).toBeInstanceOf(GivenUp);
});

test("abandoned work is notified, and its result is ignored", async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  let signal: AbortSignal | undefined;
  const work = giveUpAfter(100, (given) => {
    signal = given;
    return promise;
  });
  const outcome = work.catch((error: Error) => error);
  await vi.advanceTimersByTimeAsync(99);
  expect(signal!.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await outcome).toBe(signal!.reason);
  reject(new Error("too late"));
  await promise.catch(() => undefined);
});
