import { expect, test } from "vitest";
import { readSurveyOrder, sortValues } from "./survey-order.ts";

test.each([
  ["", { by: "createdAt", descending: true }],
  ["name", { by: "name", descending: false }],
  ["-updatedAt", { by: "updatedAt", descending: true }],
  ["--name", undefined],
  ["-", undefined],
  ["created_at", undefined],
  ["constructor", undefined],
])("sort=%s reads as %j", (sort, order) => {
  expect(readSurveyOrder(sort)).toEqual(order);
});

test("all values named are taken", () => {
  expect(sortValues.every((sort) => readSurveyOrder(sort))).toBe(true);
});
