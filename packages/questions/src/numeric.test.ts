import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bucketOf, fitsDecimals, fromSumUnits, numericDistribution, toSumUnits } from "./numeric.ts";

test("sums are exact: a tenth added ten times is one", () => {
  let sum = 0n;
  for (let round = 0; round < 10; round++) sum += toSumUnits(0.1);
  expect(fromSumUnits(sum)).toBe(1);
});

test.each([0, -0, 1, -1, 0.1, -0.000_000_001, 123.456, 1e15, -1e15, 2_800 * 97])(
  "%d survives the way into a sum and back",
  (value) => {
    expect(fromSumUnits(toSumUnits(value)) === value).toBe(true);
  },
);

test("whole sums stay exact as far as a double reaches", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 })), (values) => {
      const sum = values.reduce((sum, value) => sum + toSumUnits(value), 0n);
      expect(fromSumUnits(sum)).toBe(values.reduce((sum, value) => sum + value, 0));
    }),
  );
});

test.each([
  [0, "0"],
  [-0, "0"],
  [0.29, "0.29"],
  [0.005, "0"],
  [-0.005, "-0"],
  [1, "1"],
  [99.99, "99"],
  [100, "100"],
  [-100.5, "-100"],
  [1_234, "1200"],
  [999_999, "990000"],
  [1e15, "1000000000000000"],
])("%d falls into the bucket %s", (value, bucket) => {
  expect(bucketOf(value)).toBe(bucket);
});

test("every number lies in the bar of its bucket", () => {
  fc.assert(
    fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), (value) => {
      const stats = { responseCount: 1, buckets: new Map([[bucketOf(value), 1]]), sum: 0n, min: value, max: value };
      const [bar] = numericDistribution(stats)["histogram"] as { from: number; to: number }[];
      const [low, high] = [bar?.from ?? 0, bar?.to ?? 0];
      expect(low).toBeLessThan(high);
      expect(value >= low - 1e-9 && value <= high).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  [1, 0, true],
  [1.5, 0, false],
  [0.1 + 0.2, 9, false],
  [0.3, 1, true],
  [1.005, 2, false],
  [1e15, 0, true],
  [-2.25, 2, true],
])("%d with at most %d decimals: %s", (value, decimals, fits) => {
  expect(fitsDecimals(value, decimals)).toBe(fits);
});
