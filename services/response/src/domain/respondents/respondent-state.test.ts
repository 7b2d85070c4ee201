import { expect, test } from "vitest";
import { answerWeight, weightPerAnswer } from "./respondent-state.ts";

test("an answer weighs the bytes of its value and its meta as JSON, and its own kibibyte", () => {
  expect(answerWeight({ value: "é", meta: null })).toBe(weightPerAnswer + 4);
  expect(answerWeight({ value: [1, 2], meta: { a: true } })).toBe(weightPerAnswer + 5 + 10);
});
