import { expect, test } from "vitest";
import { startBound } from "./start-bounds.ts";

test.each([
  ["UTC", "2026-03-02T00:00:00.000Z", "2026-03-02T00:00:00Z"],
  ["UTC", "2026-03-02T00:00:00.001Z", "2026-03-03T00:00:00Z"],
  ["America/New_York", "2026-03-02T05:00:00.000Z", "2026-03-02T00:00:00Z"],
  ["America/New_York", "2026-03-02T00:00:00.000Z", "2026-03-02T00:00:00Z"],
  ["America/New_York", "2026-07-02T05:00:00.000Z", "2026-07-03T00:00:00Z"],
  ["Asia/Kathmandu", "2026-03-01T18:15:00.000Z", "2026-03-02T00:00:00Z"],
  ["Asia/Kathmandu", "2026-03-02T00:00:00.000Z", "2026-03-03T00:00:00Z"],
  // Clocks went from midnight to one o'clock.
  ["America/Sao_Paulo", "2018-11-04T03:00:00.000Z", "2018-11-04T00:00:00Z"],
  ["America/New_York", "0001-01-01T00:00:00.000Z", "0001-01-01T00:00:00Z"],
  ["UTC", "9999-12-31T23:59:59.999Z", "infinity"],
  ["Asia/Kathmandu", "9999-12-31T23:59:59.999Z", "infinity"],
])("in %s the first day that begins at %s or later is %s", (timeZone, at, day) => {
  expect(startBound(new Date(at), timeZone)).toEqual([at, day]);
});
