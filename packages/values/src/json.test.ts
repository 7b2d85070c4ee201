import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isJsonObject, isSameJson, isStorable, ownValue } from "./json.ts";

test("only an object's own keys are its values", () => {
  expect(ownValue({ a: 1 }, "a")).toBe(1);
  for (const key of ["constructor", "toString", "__proto__", "b"]) expect(ownValue({ a: 1 }, key)).toBeUndefined();
  expect(ownValue(JSON.parse('{"__proto__": 5}'), "__proto__")).toBe(5);
});

test("lists and null are no objects", () => {
  expect([{}, [], null, "x", 1].map(isJsonObject)).toEqual([true, false, false, false, false]);
});

test("text that jsonb refuses is recognized", () => {
  expect(["", "a", "😀", "a\0", "\ud83d", "\ude00\ud83d"].map(isStorable)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test.each([
  [1, 1],
  [0, -0],
  [null, null],
  [
    { a: 1, b: [2, { c: "x" }] },
    { b: [2, { c: "x" }], a: 1 },
  ],
  [JSON.parse('{"__proto__": 1, "valueOf": 2}'), JSON.parse('{"valueOf": 2, "__proto__": 1}')],
])("%j means the same as %j", (one, other) => {
  expect([isSameJson(one, other), isSameJson(other, one)]).toEqual([true, true]);
});

test.each([
  [1, "1"],
  [0, false],
  [null, {}],
  ["a", "A"],
  [[], {}],
  [
    [1, 2],
    [2, 1],
  ],
  [[1], [1, 1]],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: undefined }, { b: undefined }],
  [{}, JSON.parse('{"__proto__": 1}')],
  [{ 0: "a" }, ["a"]],
])("%j means something else than %j", (one, other) => {
  expect([isSameJson(one, other), isSameJson(other, one)]).toEqual([false, false]);
});

test("written data reads back with the same meaning", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(isSameJson(one, JSON.parse(JSON.stringify(one)))).toBe(true);
      if (JSON.stringify(one) === JSON.stringify(other)) expect(isSameJson(one, other)).toBe(true);
      expect(isSameJson(one, other)).toBe(isSameJson(other, one));
    }),
  );
});

test("a value nested 5,000 levels deep can be compared", () => {
  const deep: unknown = JSON.parse("[".repeat(5_000) + "]".repeat(5_000));
  expect(isSameJson(["a"], deep)).toBe(false);
  expect(isSameJson(deep, { a: ["b"] })).toBe(false);
});
