import { expect, test } from "vitest";
import { backoff } from "./pause.ts";
import { retryAfterMs } from "./retry-after.ts";

test("the wait doubles to ten seconds at most, and is random below that", () => {
  expect([0, 1, 2, 3, 4, 5, 6, 60].map((failures) => backoff(failures, () => 1))).toEqual([
    250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
  ]);
  expect(backoff(3, () => 0)).toBe(0);
});

test.each([
  ["7", 7_000],
  [" 0 ", 0],
  ["Thu, 26 Nov 2026 12:00:05 GMT", 5_000],
  ["Thu, 26 Nov 2026 11:00:00 GMT", 0],
  ["soon", undefined],
  ["", undefined],
])("Retry-After: %s", (value, expected) => {
  const headers = new Headers({ "retry-after": value });
  expect(retryAfterMs(headers, Date.parse("2026-11-26T12:00:00Z"))).toBe(expected);
});
