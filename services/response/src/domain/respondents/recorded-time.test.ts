import { expect, test } from "vitest";
import { completionSlot, recordedTime } from "./recorded-time.ts";

test("a completion is counted in its quarter of an hour; an anonymous one in the first of its local day", () => {
  const at = new Date("2026-03-01T18:16:59Z");
  expect(completionSlot(at, false, "Asia/Kathmandu").toISOString()).toBe("2026-03-01T18:15:00.000Z");
  expect(completionSlot(at, true, "Asia/Kathmandu").toISOString()).toBe("2026-03-01T18:15:00.000Z");
  expect(completionSlot(at, true, "UTC").toISOString()).toBe("2026-03-01T00:00:00.000Z");
});

test("only the local day of an anonymous time is recorded", () => {
  const at = new Date("2026-03-01T23:30:00Z");
  expect(recordedTime(at, true, "Asia/Tokyo").toISOString()).toBe("2026-03-02T00:00:00.000Z");
  expect(recordedTime(at, false, "Asia/Tokyo")).toBe(at);
});
