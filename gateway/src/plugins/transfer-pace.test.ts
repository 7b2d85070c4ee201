import { expect, test } from "vitest";
import { createTransferPace } from "./transfer-pace.ts";

const limits = { idleMs: 30_000, bytesPerSecond: 8_192 };

/** Returns the seconds after which a reader that takes `bytes` every `everySeconds` is too slow; undefined: never. */
function cutAfter(bytes: number, everySeconds: number): number | undefined {
  const isTooSlow = createTransferPace(limits);
  for (let second = 1; second <= 3_600; second += 1) {
    if (isTooSlow(1_000, Math.floor(second / everySeconds) * bytes)) return second;
  }
  return undefined;
}

test("a reader that takes nothing is too slow after the idle time, one that takes a byte a second soon after", () => {
  expect(cutAfter(0, 1)).toBe(30);
  expect(cutAfter(1, 1)).toBe(31);
  expect(cutAfter(1_000_000, 31)).toBe(30);
});

test("half of the least rate is too slow after a minute, and the least rate never is", () => {
  expect(cutAfter(4_096, 1)).toBe(61);
  expect(cutAfter(8_192, 1)).toBeUndefined();
  expect(cutAfter(8_192 * 20, 20)).toBeUndefined();
});

test("bytes that were taken at once count for the time after them", () => {
  const isTooSlow = createTransferPace(limits);
  expect(isTooSlow(1_000, 8_192 * 100)).toBe(false);
  for (let second = 2; second <= 130; second += 1) expect(isTooSlow(1_000, 8_192 * 100 + second)).toBe(false);
  expect(isTooSlow(10_000, 8_192 * 100 + 131)).toBe(true);
});
