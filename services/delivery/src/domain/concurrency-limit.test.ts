import { expect, test } from "vitest";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

test("quick answers raise the limit up to its maximum", () => {
  const limit = createConcurrencyLimit(50);
  for (let i = 0; i < 100; i++) limit.observe(20, true);
  expect(limit).toMatchObject({ current: 50, quick: true });
});

test("an endpoint that hangs is soon down to two attempts, and recovers", () => {
  const limit = createConcurrencyLimit(50);
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

test("a maximum below the usual start is kept", () => {
  const limit = createConcurrencyLimit(1);
  limit.observe(10, true);
  limit.observe(10_000, false);
  expect(limit.current).toBe(1);
});

test("an endpoint answers by its last attempt, also when it is slow", () => {
  const limit = createConcurrencyLimit(50);
  expect(limit).toMatchObject({ answers: false, sure: false });
  limit.observe(5000, true);
  expect(limit).toMatchObject({ answers: true, sure: false });
  limit.observe(10_000, false);
  expect(limit.answers).toBe(false);
});
