import { expect, test } from "vitest";
import { questionTypeOf } from "../catalogue.ts";
import { distributionOf, surprises, sampleQuestion } from "../../test/sample-question.ts";

test("takes any number by default", () => {
  expect(
    surprises(sampleQuestion("number"), {
      good: [0, -0, 1.5, -1e15, 1e15, 0.1 + 0.2, 5e-324],
      bad: [
        ["1", "", "must be a number"],
        [Number.NaN, "", "must be a number"],
        [Infinity, "", "must be a number"],
        [1e16, "", "at most"],
        [-1e16, "", "at least"],
        [true, "", "must be a number"],
      ],
    }),
  ).toEqual([]);
});

test("keeps limits and decimals", () => {
  expect(
    surprises(sampleQuestion("number", { typeSettings: { min: 0, max: 10, decimals: 2 } }), {
      good: [0, 10, 0.01, 9.99, 1.1],
      bad: [
        [-0.01, "", "at least 0"],
        [10.01, "", "at most 10"],
        [1.001, "", "at most 2 decimals"],
      ],
    }),
  ).toEqual([]);
  expect(
    surprises(sampleQuestion("number", { typeSettings: { decimals: 0 } }), {
      good: [7],
      bad: [[7.5, "", "whole number"]],
    }),
  ).toEqual([]);
});

test("names every limit that a number breaks", () => {
  const messages = (type: string, typeSettings: object, value: number) => {
    const question = sampleQuestion(type, { typeSettings });
    return questionTypeOf(question)
      .checkValue(question, value)
      .map(({ message }) => message);
  };
  expect(messages("number", { max: 10, decimals: 1 }, 10.25)).toEqual([
    "must be at most 10",
    "must have at most 1 decimal",
  ]);
  expect(messages("slider", { max: 10 }, 10.5)).toEqual(["must be at most 10", "must be 0 plus a multiple of 1"]);
});

test("distribution: exact mean, extremes and a histogram", () => {
  expect(distributionOf(sampleQuestion("number"), [16, 16, 18, 41.5, 1_234])).toEqual({
    mean: (16 + 16 + 18 + 41.5 + 1_234) / 5,
    min: 16,
    max: 1_234,
    histogram: [
      { from: 16, to: 16.1, count: 2 },
      { from: 18, to: 18.1, count: 1 },
      { from: 41.5, to: 41.6, count: 1 },
      { from: 1_234, to: 1_234.1, count: 1 },
    ],
  });
  expect(distributionOf(sampleQuestion("number"), [])).toEqual({ mean: null, min: null, max: null, histogram: [] });
});
