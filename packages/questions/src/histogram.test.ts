import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bucketOf, edgeNumbers, histogramOf, mostNumbers } from "./histogram.ts";

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

/** Returns the aggregate of numbers, with the counts of single numbers that results know. */
function statsOf(values: readonly number[]) {
  const count = <Key>(keys: readonly Key[]): Map<Key, number> =>
    new Map([...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]));
  const buckets = count(values.map(bucketOf));
  const all = count(values.map((value) => value + 0));
  const edges = new Set(edgeNumbers(buckets.keys()));
  const numbers = all.size <= mostNumbers ? all : new Map([...all].filter(([number]) => edges.has(number)));
  return { responseCount: values.length, buckets, numbers, sum: 0n, min: null, max: null };
}

test("with numbers of 15 digits, decimals are cut so that bars remain", () => {
  for (const values of [[-1e15, 0.25, 1e15], [1e14 + 0.25], [9e13, 0.25]]) {
    const bars = histogramOf(statsOf(values));
    expect(bars.map(({ count }) => count)).toEqual(values.map(() => 1));
    for (const { from, to } of bars) expect(to).toBeGreaterThan(from);
  }
});

test("a bar of cents has the number from which it begins", () => {
  const values = [-290151.35, 0.29, 1.005, 290151.34, 290151.35, 290160];
  const bars = histogramOf(statsOf(values));
  expect(bars.map(({ from }) => from)).toEqual([-290151.35, 0.29, 1, 290151.34, 290151.35, 290160]);
});

const tolerance = 1e-9;

test("each bar counts the numbers from its lower edge, included, to its upper one, excluded, and none is left out", () => {
  const whole = fc.integer({ min: -3_000, max: 3_000 });
  const fine = fc.integer({ min: -500, max: 500 }).map((hundredths) => hundredths / 100);
  const cents = fc.integer({ min: -1e9, max: 1e9 }).map((hundredths) => hundredths / 100);
  const any = fc.double({ min: -1e9, max: 1e9, noNaN: true }).filter((value) => Math.abs(value) > tolerance);
  const few = fc.array(fc.oneof(whole, fine, cents, any), { maxLength: 40 });
  const many = fc.uniqueArray(fc.oneof(whole, fine), { minLength: mostNumbers + 1, maxLength: 300 });
  fc.assert(
    fc.property(fc.oneof(few, many), (values) => {
      const bars = histogramOf(statsOf(values));
      expect(bars.reduce((sum, bar) => sum + bar.count, 0)).toBe(values.length);
      for (const { from, to, count } of bars) {
        const within = values.filter((value) => value >= from - tolerance && value < to - tolerance);
        expect(within).toHaveLength(count);
      }
    }),
  );
});

test("years have a bar each", () => {
  const bars = histogramOf(statsOf([1948, 1962, 1980, 1990, 1990, 2001]));
  expect(bars.map(({ from, to, count }) => [from, to, count])).toEqual([
    [1948, 1949, 1],
    [1962, 1963, 1],
    [1980, 1981, 1],
    [1990, 1991, 2],
    [2001, 2002, 1],
  ]);
});

test("numbers with decimals have bars of their last one", () => {
  expect(histogramOf(statsOf([36.6, 37, -0.5]))).toEqual([
    { from: -0.5, to: -0.4, count: 1 },
    { from: 36.6, to: 36.7, count: 1 },
    { from: 37, to: 37.1, count: 1 },
  ]);
});

test("inconsistent counts are reported by bucket", () => {
  const stats = { ...statsOf([16, 18]), numbers: new Map([[16, 5]]) };
  expect(histogramOf(stats).map(({ from, to }) => [from, to])).toEqual([
    [16, 17],
    [18, 19],
  ]);
});
