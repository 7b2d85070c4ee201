import { expect, test } from "vitest";
import { retryWaitMs } from "./uploads.ts";

test("refused uploads come again spread, not before the server told", () => {
  expect([retryWaitMs(3, 1_000, 0), retryWaitMs(3, 1_000, 1)]).toEqual([4_000, 8_000]);
  expect([retryWaitMs(0, 60_000, 0), retryWaitMs(0, 1_000, 1)]).toEqual([60_000, 1_500]);
  expect(retryWaitMs(20, 0, 1)).toBe(10_000);
});
