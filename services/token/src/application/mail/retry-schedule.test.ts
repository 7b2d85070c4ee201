import { expect, test } from "vitest";
import { maxAttempts, waitAfter } from "./retry-schedule.ts";

test("waits never shrink, last about three days in all, and end", () => {
  const waits = Array.from({ length: maxAttempts }, (_, attempts) => waitAfter(attempts + 1));
  expect(waits.pop()).toBeUndefined();
  expect(waits.every((wait, index) => wait !== undefined && wait >= (waits[index - 1] ?? 1))).toBe(true);
  const days = waits.reduce<number>((sum, wait) => sum + wait!, 0) / 86_400_000;
  expect(days).toBeGreaterThan(2.5);
  expect(days).toBeLessThan(4);
});
