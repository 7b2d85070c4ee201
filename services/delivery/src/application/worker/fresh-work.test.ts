import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createFreshWork } from "./fresh-work.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
});

test("what waits goes on when the last fresh work ends, also when it fails", async () => {
  const fresh = createFreshWork();
  await fresh.letPass(20);
  const first = Promise.withResolvers<number>();
  const second = Promise.withResolvers<number>();
  const works = [fresh.during(() => first.promise), fresh.during(() => second.promise)];
  let passed = false;
  const passing = fresh.letPass(20).then(() => (passed = true));
  first.resolve(1);
  await expect(works[0]).resolves.toBe(1);
  await vi.advanceTimersByTimeAsync(19);
  expect(passed).toBe(false);
  second.reject(new Error("away"));
  await expect(works[1]).rejects.toThrow("away");
  await passing;
  expect(vi.getTimerCount()).toBe(0);
});

test("it does not wait for longer than it may", async () => {
  const fresh = createFreshWork();
  const work = Promise.withResolvers<void>();
  const working = fresh.during(() => work.promise);
  let passed = 0;
  const passing = [fresh.letPass(20), fresh.letPass(30)].map((each) => each.then(() => (passed += 1)));
  await vi.advanceTimersByTimeAsync(20);
  expect(passed).toBe(1);
  work.resolve();
  await Promise.all([working, ...passing]);
  expect(passed).toBe(2);
});
