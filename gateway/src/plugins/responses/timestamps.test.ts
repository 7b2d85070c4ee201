import fc from "fast-check";
import { expect, test } from "vitest";
import { isoText } from "./timestamps.ts";

test("a moment is written as Date writes it, also before 1970 and in far years", () => {
  const most = 8_640_000_000_000_000;
  fc.assert(
    fc.property(fc.integer({ min: -most, max: most }), (ms) => {
      expect(isoText(ms)).toBe(new Date(ms).toISOString());
      expect(isoText(ms)).toBe(new Date(ms).toISOString());
    }),
  );
  for (const ms of [0, -1, 999, -1_000, 1_763_670_385_007]) expect(isoText(ms)).toBe(new Date(ms).toISOString());
});
