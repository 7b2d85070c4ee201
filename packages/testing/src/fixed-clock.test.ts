import { expect, test } from "vitest";
import { fixedClock } from "./fixed-clock.ts";

test("a fixed clock changes only on request, and its dates cannot be used to change it", () => {
  const clock = fixedClock("2026-01-01T00:00:00Z");
  clock.now().setFullYear(1999);
  expect(clock.now()).toEqual(new Date("2026-01-01T00:00:00Z"));
  clock.advance(72 * 3_600_000);
  expect(clock.now()).toEqual(new Date("2026-01-04T00:00:00Z"));
  clock.set("2027-01-01T00:00:00Z");
  expect(clock.now()).toEqual(new Date("2027-01-01T00:00:00Z"));
});
