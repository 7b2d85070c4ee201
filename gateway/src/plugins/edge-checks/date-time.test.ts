import { expect, test } from "vitest";
import { isDateTime } from "./date-time.ts";

test.each([
  ["2026-01-31T12:00:00Z", true],
  ["2026-01-31t12:00:00.123456789z", true],
  ["2026-01-31T12:00:00+05:30", true],
  ["0001-01-01T00:00:00Z", true],
  ["9999-12-31T23:59:59.999Z", true],
  ["2024-02-29T00:00:00Z", true],
  ["2026-02-29T00:00:00Z", false],
  ["2016-12-31T23:59:60Z", false],
  ["0001-01-01T00:00:00+00:01", false],
  ["9999-12-31T23:59:59.999-00:01", false],
  ["0000-01-01T00:00:00Z", false],
  ["2026-01-31", false],
  ["2026-01-31T12:00:00", false],
  ["2026-01-31T24:00:00Z", false],
  ["12026-01-31T12:00:00Z", false],
  ["now", false],
])("%s can be held: %s", (text, held) => {
  expect(isDateTime(text)).toBe(held);
});
