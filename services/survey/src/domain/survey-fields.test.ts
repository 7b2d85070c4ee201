import { expect, test } from "vitest";
import { readFields, unknownFields } from "./survey-fields.ts";

test.each<[string, unknown]>([
  ["name", "a"],
  ["name", "🙂".repeat(200)],
  ["description", ""],
  ["description", "x".repeat(5000)],
  ["language", "pt-BR"],
  ["language", "zh-Hant-TW"],
  ["type", 4],
])("%s may be %j", (field, value) => {
  expect(readFields({ [field]: value })).toEqual({ fields: { [field]: value }, faults: [] });
});

test.each<[string, unknown]>([
  ["name", ""],
  ["name", " \n\t"],
  ["name", "x".repeat(201)],
  ["name", "x".repeat(1_000_000)],
  ["name", "a\0b"],
  ["name", "a\uD800"],
  ["name", 5],
  ["name", null],
  ["name", ["a"]],
  ["name", { toString: "a" }],
  ["description", null],
  ["description", "x".repeat(5001)],
  ["language", ""],
  ["language", "english!"],
  ["language", "en_US"],
  ["language", ["en"]],
  ["type", 0],
  ["type", 5],
  ["type", 1.5],
  ["type", "1"],
  ["type", true],
])("%s may not be %j", (field, value) => {
  expect(readFields({ [field]: value }).faults.map(({ path }) => path)).toEqual([field]);
});

test("a body's __proto__ is an unknown field like any other, and a flood of them is cut", () => {
  const body = JSON.parse('{"__proto__": {"name": "x"}, "nmae": "y"}') as Record<string, unknown>;
  expect(readFields(body)).toEqual({ fields: {}, faults: [] });
  expect(unknownFields(body, ["name"]).map(({ path }) => path)).toEqual(["__proto__", "nmae"]);
  const flood = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`${index}`.repeat(200), 1]));
  expect(unknownFields(flood, []).length).toBe(50);
  expect(JSON.stringify(unknownFields(flood, [])).length).toBeLessThan(20_000);
});
