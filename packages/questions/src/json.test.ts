import { expect, test } from "vitest";
import { isJsonObject, isStorable, ownValue } from "./json.ts";

test("only an object's own keys are its values", () => {
  expect(ownValue({ a: 1 }, "a")).toBe(1);
  for (const key of ["constructor", "toString", "__proto__", "b"]) expect(ownValue({ a: 1 }, key)).toBeUndefined();
  expect(ownValue(JSON.parse('{"__proto__": 5}'), "__proto__")).toBe(5);
});

test("lists and null are no objects", () => {
  expect([{}, [], null, "x", 1].map(isJsonObject)).toEqual([true, false, false, false, false]);
});

test("text that jsonb refuses is told apart", () => {
  expect(["", "a", "😀", "a\0", "\ud83d", "\ude00\ud83d"].map(isStorable)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
