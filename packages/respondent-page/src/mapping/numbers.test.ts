import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readNumber, writeNumber } from "./numbers.ts";

test.each([
  ["72", 72],
  ["72,5", 72.5],
  ["72.5", 72.5],
  ["-3,25", -3.25],
  ["−3.25", -3.25],
  ["+7", 7],
  [" 72 ", 72],
  ["5,", 5],
  [",5", 0.5],
  ["0,125", 0.125],
  ["1,2340", 1.234],
  ["1234,567", 1234.567],
  ["1,234.56", 1234.56],
  ["1.234,56", 1234.56],
  ["1,234,567", 1_234_567],
  ["1.234.567", 1_234_567],
  ["1.234.567,891", 1_234_567.891],
  ["12,34,567.8", 1_234_567.8],
  ["1 234", 1234],
  ["1\u202f234,567", 1234.567],
  ["1’234.5", 1234.5],
  ["١٢٣٤", 1234],
  ["٧٢٫٥", 72.5],
  ["١٬٢٣٤", 1234],
  ["\u061c-٧٢،٥", -72.5],
  ["۷۲٫۵", 72.5],
  ["７２．５", 72.5],
  ["१२३", 123],
  ["𝟗𝟖", 98],
])("%j is read as %d", (typed, value) => {
  expect(readNumber(typed)).toEqual({ value });
});

test.each([
  ["1,234", "1234", "1,2340"],
  ["1.234", "1234", "1.2340"],
  ["-12.500", "-12500", "-12.5000"],
  ["١،٢٣٤", "1234", "1,2340"],
])("%j can be read in two ways", (typed, whole, decimal) => {
  expect(readNumber(typed)).toEqual({ whole, decimal });
  expect([readNumber(whole), readNumber(decimal)]).toEqual([
    { value: expect.any(Number) },
    { value: expect.any(Number) },
  ]);
});

test.each([
  "",
  "-",
  ".",
  ",",
  "abc",
  "12 34",
  "1,23.4",
  "1.2.3",
  "1,2,3",
  "1,234.567.8",
  "5²",
  "1e5",
  "12kg",
  "1--2",
  "٫",
])("%j is no number", (typed) => {
  expect(readNumber(typed)).toBe("unreadable");
});

test("a number with at most nine decimals is read as it was written", () => {
  fc.assert(
    fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), fc.nat(9), (any, decimals) => {
      const value = Number(any.toFixed(decimals));
      expect(readNumber(writeNumber(value))).toEqual({ value: value === 0 ? expect.closeTo(0) : value });
    }),
  );
});

test.each([
  [1e21, `1${"0".repeat(21)}`],
  [-1.5e22, `-15${"0".repeat(21)}`],
  [1e-21, `0.${"0".repeat(20)}1`],
  [-1.25e-7, "-0.000000125"],
  [Number.MIN_VALUE, `0.${"0".repeat(323)}5`],
])("%d is written in digits alone", (value, shown) => {
  expect(writeNumber(value)).toBe(shown);
});

test("every finite number is read as it was written", () => {
  fc.assert(
    fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
      // JSON has no -0.
      expect(readNumber(writeNumber(value))).toEqual({ value: value + 0 });
    }),
  );
});
