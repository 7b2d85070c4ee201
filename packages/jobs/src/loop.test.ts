import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { startLoop } from "./loop.ts";

const FOR_EVER = 3_600_000;
const onFailure = () => undefined;

test("nudges make one round together, soon", async () => {
  let rounds = 0;
  await using loop = startLoop({ minGapMs: 20, onFailure, round: async () => ((rounds += 1), FOR_EVER) });
  await waitFor(() => rounds === 1, { describe: "the first round" });
  for (let times = 0; times < 100; times += 1) loop.nudge();
  await waitFor(() => rounds === 2, { describe: "the nudged round" });
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
  expect(await waitFor(() => rounds === 2, { describe: "another round" })).toBe(true);
});

test("a nudge for later is a round by then, and one for sooner goes before it", async () => {
  const starts: number[] = [];
  await using loop = startLoop({
    minGapMs: 0,
    onFailure,
    round: async () => (starts.push(performance.now()), FOR_EVER),
  });
  await waitFor(() => starts.length === 1, { describe: "the first round" });
  loop.nudge(FOR_EVER);
  const asked = performance.now();
  loop.nudge(100);
  loop.nudge(200);
  await waitFor(() => starts.length === 2, { describe: "the round that was asked for" });
  // Timers may fire a millisecond early.
  expect(starts[1]! - asked).toBeGreaterThan(98);
  loop.nudge(FOR_EVER);
  loop.nudge();
  await waitFor(() => starts.length === 3, { describe: "the round at once" });
  expect(starts).toHaveLength(3);
});

test("rounds keep their distance", async () => {
  const starts: number[] = [];
  await using loop = startLoop({
    minGapMs: 30,
    onFailure,
    round: async () => {
      starts.push(performance.now());
      return 0;
    },
  });
  await waitFor(() => (loop.nudge(), starts.length >= 4), { describe: "four rounds" });
  const gaps = starts.slice(1).map((start, index) => start - starts[index]!);
  // Timers may fire a millisecond early.
  expect(Math.min(...gaps)).toBeGreaterThan(28);
});

test("a failing round backs off despite nudges and reports its failures in a row", async () => {
  const failures: number[] = [];
  const started = performance.now();
  await using loop = startLoop({
    minGapMs: 0,
    onFailure: (_, inARow) => failures.push(inARow),
    round: async () => {
      if (failures.length < 2) throw new Error("no");
      return FOR_EVER;
    },
  });
  await waitFor(() => (loop.nudge(), failures.length === 2), { describe: "two failures" });
  expect(performance.now() - started).toBeGreaterThan(85);
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
