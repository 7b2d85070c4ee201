import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startLoop } from "./loop.ts";

const FOR_EVER = 3_600_000;
const onFailure = () => undefined;

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** Advances the clock by `ms` and runs all due timers and rounds. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1) {
    await vi.advanceTimersByTimeAsync(1);
    // A loop yields between its rounds.
    for (const _turn of [1, 2, 3]) await new Promise(setImmediate);
  }
}

test("several nudges make one round, at once", async () => {
  let rounds = 0;
  await using loop = startLoop({ minGapMs: 20, onFailure, round: async () => ((rounds += 1), FOR_EVER) });
  await pass(20);
  expect(rounds).toBe(1);
  for (let times = 0; times < 100; times += 1) loop.nudge();
  await pass(1);
  expect(rounds).toBe(2);
  await pass(1_000);
  expect(rounds).toBe(2);
});

test("a nudge during a round makes another after it", async () => {
  let rounds = 0;
  const inRound = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  await using loop = startLoop({
    minGapMs: 0,
    onFailure,
    round: async () => {
      rounds += 1;
      inRound.resolve();
      await go.promise;
      return FOR_EVER;
    },
  });
  await inRound.promise;
  loop.nudge();
  go.resolve();
  await pass(1);
  expect(rounds).toBe(2);
});

test("a nudge makes a round by its time, of several by the earliest", async () => {
  let rounds = 0;
  await using loop = startLoop({ minGapMs: 0, onFailure, round: async () => ((rounds += 1), FOR_EVER) });
  await pass(1);
  expect(rounds).toBe(1);
  loop.nudge(FOR_EVER);
  loop.nudge(100);
  loop.nudge(200);
  await pass(99);
  expect(rounds).toBe(1);
  await pass(1);
  expect(rounds).toBe(2);
  loop.nudge(FOR_EVER);
  loop.nudge();
  await pass(1);
  expect(rounds).toBe(3);
  await pass(1_000);
  expect(rounds).toBe(3);
});

test("rounds start at least the gap apart, despite nudges", async () => {
  const starts: number[] = [];
  await using loop = startLoop({
    minGapMs: 30,
    onFailure,
    round: async () => {
      starts.push(performance.now());
      return 0;
    },
  });
  for (let ms = 0; ms < 100; ms += 1) {
    loop.nudge();
    await pass(1);
  }
  expect(starts.map((start) => start - starts[0]!)).toEqual([0, 30, 60, 90]);
});

test("a failing round backs off despite nudges and reports its failures in a row", async () => {
  const failures: number[] = [];
  await using loop = startLoop({
    minGapMs: 0,
    onFailure: (_, inARow) => failures.push(inARow),
    round: async () => {
      if (failures.length < 2) throw new Error("no");
      return FOR_EVER;
    },
  });
  // The back-off has a tenth of jitter.
  for (let ms = 0; ms < 89; ms += 1) {
    loop.nudge();
    await pass(1);
  }
  expect(failures).toEqual([1]);
  await pass(22);
  expect(failures).toEqual([1, 2]);
});

test("disposal ends pauses and waits for the round under way", async () => {
  let ended = false;
  const inRound = Promise.withResolvers<void>();
  const loop = startLoop({
    minGapMs: FOR_EVER,
    onFailure,
    round: async (stopping) => {
      inRound.resolve();
      await new Promise((resolve) => stopping.addEventListener("abort", resolve));
      await new Promise((resolve) => setImmediate(resolve));
      ended = true;
      return FOR_EVER;
    },
  });
  await inRound.promise;
  await loop[Symbol.asyncDispose]();
  expect(ended).toBe(true);
});
