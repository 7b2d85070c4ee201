import { expect, test } from "vitest";
import { answerWeight, eachAnswerWeighs } from "./answer-weight.ts";

test("an answer weighs the bytes of its value and its meta as JSON, and its own kibibyte", () => {
  expect(answerWeight({ value: "é", meta: null })).toBe(eachAnswerWeighs + 4);
  expect(answerWeight({ value: [1, 2], meta: { a: true } })).toBe(eachAnswerWeighs + 5 + 10);
});
