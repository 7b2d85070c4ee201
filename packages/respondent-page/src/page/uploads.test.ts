import { expect, test } from "vitest";
import { retryWaitMs } from "./uploads.ts";

test("refused uploads are retried at spread times, not before the server's `Retry-After`", () => {
  expect([retryWaitMs(3, 1_000, 0), retryWaitMs(3, 1_000, 1)]).toEqual([4_000, 8_000]);
  expect([retryWaitMs(0, 60_000, 0), retryWaitMs(0, 1_000, 1)]).toEqual([60_000, 1_500]);
  expect(retryWaitMs(20, 0, 1)).toBe(10_000);
});
