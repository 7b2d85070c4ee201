import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runWithYielder, createYielder, runInSlices, mapInSlices } from "./long-work.ts";

// The tests advance the clock by their work.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const work = (milliseconds: number): void => void vi.advanceTimersByTime(milliseconds);

/** Counts the turns that others get until it is disposed. */
function countTurns() {
  const counted = { turns: 0, [Symbol.dispose]: () => clearImmediate(next) };
  let next = setImmediate(function count() {
    counted.turns += 1;
    next = setImmediate(count);
  });
  return counted;
}

test("however much long work there is, others get a turn of the event loop after each slice", async () => {
  using others = countTurns();
  const long = Array.from({ length: 5 }, () => mapInSlices(Array.from({ length: 20 }), () => work(2)));
  await Promise.all(long);
  // Each takes 20 x 2 ms, in slices of 6 ms.
  expect(others.turns).toBeGreaterThanOrEqual(5 * 7);
});

test("works that share a yielder share its slices", async () => {
  using others = countTurns();
  function* part(name: string) {
    for (let chunk = 0; chunk < 10; chunk += 1) {
      yield;
      work(2);
    }
    return name;
  }
  const yieldIfDue = createYielder();
  expect([await runWithYielder(yieldIfDue, part("a")), await runWithYielder(yieldIfDue, part("b"))]).toEqual([
    "a",
    "b",
  ]);
  // Both take 10 x 2 ms, in slices of 6 ms.
  expect(others.turns).toBeGreaterThanOrEqual(6);
});

test("a result or an error of the work is passed on, and a map keeps its order", async () => {
  expect(await mapInSlices([3, 1, 2], (item, index) => item * 10 + index)).toEqual([30, 11, 22]);
  function* failing() {
    yield;
    throw new Error("no luck");
  }
  await expect(runInSlices(failing())).rejects.toThrow("no luck");
});
