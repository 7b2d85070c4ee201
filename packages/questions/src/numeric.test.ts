import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fitsDecimals, fromSumUnits, toSumUnits } from "./numeric.ts";

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
