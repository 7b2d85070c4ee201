import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bucketOf, edgeNumbers, histogramOf, mostNumbers } from "./histogram.ts";
import { mergeBars } from "./merge-bars.ts";

function histogram(values: readonly number[]) {
  const count = <Key>(keys: readonly Key[]): Map<Key, number> =>
    new Map([...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]));
  const buckets = count(values.map(bucketOf));
  const all = count(values);
  const edges = new Set(edgeNumbers(buckets.keys()));
  const numbers = all.size <= mostNumbers ? all : new Map([...all].filter(([number]) => edges.has(number)));
  return histogramOf({ responseCount: values.length, buckets, numbers, sum: 0n, min: null, max: null });
}

test("merged bars are at most as many as asked for, of one width, and count what lies in them", () => {
  const whole = fc.integer({ min: -3_000, max: 3_000 });
  const fine = fc.integer({ min: -500, max: 500 }).map((hundredths) => hundredths / 100);
  const digit = fc.integer({ min: -9, max: 9 });
  const round = fc.tuple(digit, fc.integer({ min: 0, max: 14 })).map(([first, power]) => first * 10 ** power + 0);
  const values = fc.oneof(
    fc.uniqueArray(whole, { maxLength: 300 }),
    fc.array(fine, { maxLength: 300 }),
    fc.array(fc.oneof(fine, round), { maxLength: 40 }),
  );
  fc.assert(
    fc.property(values, fc.integer({ min: 2, max: 60 }), (given, most) => {
      const merged = mergeBars(histogram(given), most);
      expect(merged.length).toBeLessThanOrEqual(most);
      const [{ from: start, to: end } = { from: 0, to: 0 }] = merged;
      for (const [at, { from, to, count }] of merged.entries()) {
        expect(from).toBeCloseTo(start + at * (end - start), 6);
        expect(to).toBeCloseTo(from + end - start, 6);
        expect(given.filter((value) => value >= from - 1e-9 && value < to - 1e-9)).toHaveLength(count);
      }
      expect(merged.reduce((sum, { count }) => sum + count, 0)).toBe(given.length);
    }),
  );
});

test.each([[[3, 10_000_000]], [[0.25, 100_000]], [[-0.01, 100_000.5]], [[-1e15, 0.5, 1e15]]])(
  "of %j a narrow bar beside the edge of a wide one is counted",
  (values) => {
    const merged = mergeBars(histogram(values), 15);
    expect(merged.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
    for (const value of values) expect(merged.some(({ from, to }) => value >= from && value < to)).toBe(true);
  },
);

test("years are merged into decades, and nothing into nothing", () => {
  const years = histogram([1948, 1950, 1959, 1990]);
  expect(mergeBars(years, 6).map(({ from, to, count }) => [from, to, count])).toEqual([
    [1940, 1950, 1],
    [1950, 1960, 2],
    [1960, 1970, 0],
    [1970, 1980, 0],
    [1980, 1990, 0],
    [1990, 2000, 1],
  ]);
  expect(mergeBars(years, 5).map(({ count }) => count)).toEqual([3, 0, 1]);
  expect(mergeBars([], 5)).toEqual([]);
});
