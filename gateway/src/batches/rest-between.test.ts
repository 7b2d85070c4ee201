import { afterEach, expect, test, vi } from "vitest";
import { restBetween } from "./rest-between.ts";

afterEach(() => vi.useRealTimers());

test("a call that follows at once rests as long as the one before took, one after a pause not at all", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
  const begun: string[] = [];
  const call = restBetween(async (name: string, ms: number) => {
    begun.push(name);
    vi.advanceTimersByTime(ms);
    return name;
  });
  expect(await call("long", 40)).toBe("long");
  const second = call("second", 10);
  await vi.advanceTimersByTimeAsync(39);
  expect(begun).toEqual(["long"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual(["long", "second"]);
  expect(await second).toBe("second");
  await vi.advanceTimersByTimeAsync(10);
  const third = call("third", 0);
  expect(begun).toEqual(["long", "second", "third"]);
  expect(await third).toBe("third");
});

test("a call that fails rests, too, and fails alone", async () => {
  let fails = true;
  const call = restBetween(async () => {
    if (fails) throw new Error("away");
    return "done";
  });
  await expect(call()).rejects.toThrow("away");
  fails = false;
  expect(await call()).toBe("done");
});
