import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createInFlightIntake } from "./in-flight-intake.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
});

test("a wait ends with the last intake, also if that fails", async () => {
  const intake = createInFlightIntake();
  await intake.letPass(20);
  const first = Promise.withResolvers<number>();
  const second = Promise.withResolvers<number>();
  const intakes = [intake.during(() => first.promise), intake.during(() => second.promise)];
  let passed = false;
  const passing = intake.letPass(20).then(() => (passed = true));
  first.resolve(1);
  await expect(intakes[0]).resolves.toBe(1);
  await vi.advanceTimersByTimeAsync(19);
  expect(passed).toBe(false);
  second.reject(new Error("away"));
  await expect(intakes[1]).rejects.toThrow("away");
  await passing;
  expect(vi.getTimerCount()).toBe(0);
});

test("a wait is no longer than its limit", async () => {
  const intake = createInFlightIntake();
  const work = Promise.withResolvers<void>();
  const working = intake.during(() => work.promise);
  let passed = 0;
  const passing = [intake.letPass(20), intake.letPass(30)].map((each) => each.then(() => (passed += 1)));
  await vi.advanceTimersByTimeAsync(20);
  expect(passed).toBe(1);
  work.resolve();
  await Promise.all([working, ...passing]);
  expect(passed).toBe(2);
});
