import { expect, test } from "vitest";
import { dayIn, isTimeZone, lastDays, startOfDay } from "./time-zones.ts";

test("days are those of the time zone, across changes of the clock", () => {
  expect(dayIn("America/New_York", new Date("2026-03-08T04:59:00Z"))).toBe("2026-03-07");
  expect(startOfDay("America/New_York", "2026-03-08").toISOString()).toBe("2026-03-08T05:00:00.000Z");
  expect(startOfDay("America/New_York", "2026-03-09").toISOString()).toBe("2026-03-09T04:00:00.000Z");
  const days = lastDays("Asia/Kathmandu", new Date("2026-03-01T18:16:00Z"), 30);
  expect(days).toHaveLength(30);
  expect([days[0], days[29]]).toEqual(["2026-02-01", "2026-03-02"]);
});

test.each([
  ["UTC", true],
  ["Europe/Berlin", true],
  ["+01:00", false],
  ["Mars/Olympus", false],
  ["", false],
])("%j is a time zone: %s", (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});
