import { expect, test } from "vitest";
import { buildQuestions } from "../new-questions.ts";
import { countingIds, surprises, sampleQuestion } from "../../test/sample-question.ts";

test("takes steps of its scale, both ends included", () => {
  expect(
    surprises(sampleQuestion("slider"), {
      good: [0, 1, 100],
      bad: [
        [0.5, "", "multiple of 1"],
        [101, "", "at most 100"],
        [-1, "", "at least 0"],
        ["5", "", "must be a number"],
      ],
    }),
  ).toEqual([]);
  expect(
    surprises(sampleQuestion("slider", { typeSettings: { min: 0.1, max: 1, step: 0.1 } }), {
      good: [0.1, 0.3, 0.7, 0.1 + 0.2, 1],
      bad: [[0.35, "", "multiple of 0.1"]],
    }),
  ).toEqual([]);
  // The end is valid although it is not a whole number of steps from the start.
  expect(
    surprises(sampleQuestion("slider", { typeSettings: { min: 0, max: 10, step: 3 } }), {
      good: [9, 10],
      bad: [[8, "", "multiple of 3"]],
    }),
  ).toEqual([]);
});

test.each([
  [{ min: 5, max: 5 }, "min"],
  [{ step: 0 }, "step"],
  [{ step: 101 }, "step"],
])("the settings %j are refused", (typeSettings, key) => {
  const result = buildQuestions([{ type: "slider", text: "x", typeSettings }], countingIds());
  expect(result).toMatchObject({ violations: [{ path: `questions.0.typeSettings.${key}` }] });
});
