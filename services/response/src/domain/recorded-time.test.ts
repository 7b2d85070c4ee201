import { expect, test } from "vitest";
import { completionSlot, dayIn, lastDays, recordedTime, startOfDay } from "./recorded-time.ts";

test("days are those of the time zone, across changes of the clock", () => {
  expect(dayIn("America/New_York", new Date("2026-03-08T04:59:00Z"))).toBe("2026-03-07");
  expect(startOfDay("America/New_York", "2026-03-08").toISOString()).toBe("2026-03-08T05:00:00.000Z");
  expect(startOfDay("America/New_York", "2026-03-09").toISOString()).toBe("2026-03-09T04:00:00.000Z");
  const days = lastDays("Asia/Kathmandu", new Date("2026-03-01T18:16:00Z"), 30);
  expect(days).toHaveLength(30);
  expect([days[0], days[29]]).toEqual(["2026-02-01", "2026-03-02"]);
});

test("a completion is counted in its quarter of an hour; an anonymous one in the first of its local day", () => {
  const at = new Date("2026-03-01T18:16:59Z");
  expect(completionSlot(at, false, "Asia/Kathmandu").toISOString()).toBe("2026-03-01T18:15:00.000Z");
  expect(completionSlot(at, true, "Asia/Kathmandu").toISOString()).toBe("2026-03-01T18:15:00.000Z");
  expect(completionSlot(at, true, "UTC").toISOString()).toBe("2026-03-01T00:00:00.000Z");
});

test("what is recorded of an anonymous time is its local day", () => {
  const at = new Date("2026-03-01T23:30:00Z");
  expect(recordedTime(at, true, "Asia/Tokyo").toISOString()).toBe("2026-03-02T00:00:00.000Z");
  expect(recordedTime(at, false, "Asia/Tokyo")).toBe(at);
});
