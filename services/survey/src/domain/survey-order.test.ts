import { surveysQuery } from "@canvass/inputs";
import { expect, test } from "vitest";
import { readSurveyOrder } from "./survey-order.ts";

test.each([
  ["", { by: "createdAt", descending: true }],
  ["name", { by: "name", descending: false }],
  ["-updatedAt", { by: "updatedAt", descending: true }],
  ["constructor", { by: "createdAt", descending: true }],
])("sort=%s reads as %j", (sort, order) => {
  expect(readSurveyOrder(sort)).toEqual(order);
});

test("every value of `sort` in the query reads as another order", () => {
  const { enum: values } = surveysQuery.properties.sort as unknown as { enum: string[] };
  expect(new Set(values.map((sort) => JSON.stringify(readSurveyOrder(sort)))).size).toBe(6);
});
