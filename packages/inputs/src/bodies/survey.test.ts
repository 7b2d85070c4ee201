import { expect, test } from "vitest";
import { checkShape, unknownFields } from "../check-shape.ts";
import type { Violation } from "../violations.ts";
import { publishSurveyBody, surveyFields, givenSurveyFields } from "./survey.ts";

type Field = keyof typeof surveyFields;

function violationsOf(field: string, value: unknown): Violation[] {
  const violations: Violation[] = [];
  checkShape(surveyFields[field as Field].schema, value, field, violations);
  return violations;
}

test.each<[string, unknown]>([
  ["name", "a"],
  ["name", "🙂".repeat(200)],
  ["description", ""],
  ["description", "x".repeat(5000)],
  ["language", "pt-BR"],
  ["language", "zh-Hant-TW"],
  ["type", 4],
])("%s may be %j", (field, value) => {
  expect(violationsOf(field, value)).toEqual([]);
});

test.each<[string, unknown]>([
  ["name", ""],
  ["name", " \n\t"],
  ["name", "\u200b\ufeff"],
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
  expect(violationsOf(field, value)[0]?.path).toBe(field);
});

const unstorable = "must not contain NUL characters or broken surrogate pairs";
test.each<[string, string, string[]]>([
  ["name", "a\0b", [unstorable]],
  ["name", "a\uD800", [unstorable]],
  ["description", "\0", [unstorable]],
  ["description", `${"x".repeat(5000)}\uDC00`, ["must be text of at most 5000 characters", unstorable]],
  ["name", "", ["must be text of 1 to 200 characters"]],
])("%s %j gets its faults", (field, value, messages) => {
  expect(violationsOf(field, value).map(({ message }) => message)).toEqual(messages);
});

test("a body's __proto__ is an unknown field like any other, and a flood of them is cut", () => {
  const body = JSON.parse('{"__proto__": {"name": "x"}, "nmae": "y"}') as Record<string, unknown>;
  expect(givenSurveyFields(body)).toEqual({});
  expect(unknownFields(Object.keys(body), ["name"]).map(({ path }) => path)).toEqual(["__proto__", "nmae"]);
  const flood = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`${index}`.repeat(200), 1]));
  expect(unknownFields(Object.keys(flood), []).length).toBe(50);
  expect(JSON.stringify(unknownFields(Object.keys(flood), [])).length).toBeLessThan(20_000);
});

const tooLong = "must be text of at most 1000 characters";
test.each([
  ["", []],
  ["🙂".repeat(1000), []],
  ["x".repeat(1001), [tooLong]],
  ["a\0", [unstorable]],
  [`${"x".repeat(1001)}\ud800`, [tooLong, unstorable]],
])("a note gets all its faults", (note, messages) => {
  const violations: Violation[] = [];
  checkShape(publishSurveyBody, { note }, "", violations);
  expect(violations).toEqual(messages.map((message) => ({ path: "note", message })));
});
