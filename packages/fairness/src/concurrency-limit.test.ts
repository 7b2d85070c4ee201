import fc from "fast-check";
import { expect, test } from "vitest";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

const createLimit = (max: number) => createConcurrencyLimit({ initial: 10, min: 2, max, quickMs: 1000, slowMs: 3000 });

test("quick responses raise the limit up to its maximum", () => {
  const limit = createLimit(50);
  for (let i = 0; i < 100; i++) limit.observe(20, true);
  expect(limit).toMatchObject({ current: 50, quick: true });
});

test("a callee that hangs soon has the minimum, and recovers", () => {
  const limit = createLimit(50);
  for (let i = 0; i < 100; i++) limit.observe(20, true);
  for (let i = 0; i < 5; i++) limit.observe(10_000, false);
  expect(limit).toMatchObject({ current: 2, quick: false });
  limit.observe(2000, true);
  expect(limit).toMatchObject({ current: 2, quick: false });
  limit.observe(5000, true);
  expect(limit.current).toBe(2);
  limit.observe(50, true);
  expect(limit).toMatchObject({ current: 3, quick: true });
});

test("a maximum below the initial limit and the minimum holds", () => {
  const limit = createLimit(1);
  expect(limit.current).toBe(1);
  limit.observe(10, true);
  limit.observe(10_000, false);
  expect(limit.current).toBe(1);
});

test("`responds` and `quick` follow the last call; a slow response counts as one", () => {
  const limit = createLimit(50);
  expect(limit).toMatchObject({ responds: false, quick: false });
  limit.observe(5000, true);
  expect(limit).toMatchObject({ responds: true, quick: false });
  limit.observe(10_000, false);
  expect(limit).toMatchObject({ responds: false, quick: false });
  // A quick failure is no quick response.
  limit.observe(1, false);
  expect(limit).toMatchObject({ current: 2, quick: false });
});

test("for any calls the limit stays within its bounds, rises by one at most and never falls by more than half", () => {
  const call = fc.tuple(fc.integer({ min: 0, max: 6000 }), fc.boolean());
  fc.assert(
    fc.property(fc.array(call), fc.integer({ min: 1, max: 100 }), (calls, max) => {
      const limit = createLimit(max);
      for (const [durationMs, responded] of calls) {
        const before = limit.current;
        limit.observe(durationMs, responded);
        expect(limit.current).toBeGreaterThanOrEqual(Math.min(2, max));
        expect(limit.current).toBeLessThanOrEqual(Math.min(before + 1, max));
        expect(limit.current).toBeGreaterThanOrEqual(Math.floor(before / 2));
        if (!responded) expect(limit.current).toBeLessThanOrEqual(before);
      }
    }),
  );
});
