import fc from "fast-check";
import { expect, test } from "vitest";
import { areWaits, MAX_ATTEMPTS, nextAttemptAt, readWaits, standardWaits } from "./retry-schedule.ts";

const start = new Date("2026-03-01T00:00:00Z");

test("nine attempts over about 3.7 days", () => {
  let at = start;
  const waits = [];
  for (let number = 1; number < MAX_ATTEMPTS; number++) {
    const next = nextAttemptAt(number, at, standardWaits, () => 0.5)!;
    waits.push((next.getTime() - at.getTime()) / 1000);
    at = next;
  }
  expect(waits).toEqual([30, 300, 1800, 7200, 18_000, 36_000, 86_400, 172_800]);
  expect((at.getTime() - start.getTime()) / 86_400_000).toBeCloseTo(3.73, 2);
  expect(nextAttemptAt(MAX_ATTEMPTS, at, standardWaits, Math.random)).toBeUndefined();
});

test("a wait varies by up to a tenth, both ways", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.double({ min: 0, max: 1, noNaN: true }), (number, random) => {
      const waited = nextAttemptAt(number, start, standardWaits, () => random)!.getTime() - start.getTime();
      const planned = standardWaits[number - 1]! * 1000;
      expect(Math.abs(waited - planned)).toBeLessThanOrEqual(planned * 0.1 + 1);
    }),
  );
  const ends = [0, 1].map(
    (random) => nextAttemptAt(1, start, standardWaits, () => random)!.getTime() - start.getTime(),
  );
  expect(ends).toEqual([27_000, 33_000]);
});

test("the schedule can be shortened, but not broken", () => {
  expect(readWaits("")).toBe(standardWaits);
  expect(["", "1, 1,1,1,1,1,1,0.5"].map(areWaits)).toEqual([true, true]);
  expect(readWaits("1, 1,1,1,1,1,1,0.5")).toEqual([1, 1, 1, 1, 1, 1, 1, 0.5]);
  for (const text of [
    "1",
    "1,1,1,1,1,1,1,1,1",
    "1,1,1,1,1,1,1,x",
    "1,1,1,1,1,1,1,-1",
    "1,,1,1,1,1,1,1",
    "1,1,1,1,1,1,1,Infinity",
  ]) {
    expect([text, areWaits(text)]).toEqual([text, false]);
  }
});
