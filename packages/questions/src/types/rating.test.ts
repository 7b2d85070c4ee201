import { expect, test } from "vitest";
import { buildQuestions } from "../new-questions.ts";
import { countingIds, distributionOf, surprises, sampleQuestion } from "../../test/sample-question.ts";

test("takes whole numbers from 1 to its steps", () => {
  expect(
    surprises(sampleQuestion("rating", { typeSettings: { steps: 6 } }), {
      good: [1, 6],
      bad: [0, 7, -1, 1.5, "1", null, [1], true].map((value) => [value, "", "from 1 to 6"] as const),
    }),
  ).toEqual([]);
  expect(surprises(sampleQuestion("rating"), { good: [5], bad: [[6, "", "from 1 to 5"]] })).toEqual([]);
});

test("more than 10 steps, an unknown style and labels off the scale are refused", () => {
  const typeSettings = { steps: 11, style: "moon", labels: { "0": "no", "11": "no", __proto__: "x" } };
  const result = buildQuestions([{ type: "rating", text: "x", typeSettings }], countingIds());
  expect("violations" in result && result.violations.map(({ path }) => path)).toEqual([
    "questions.0.typeSettings.steps",
    "questions.0.typeSettings.style",
    "questions.0.typeSettings.labels.0",
    "questions.0.typeSettings.labels.11",
  ]);
  const short = buildQuestions(
    [{ type: "rating", text: "x", typeSettings: { steps: 3, labels: { 4: "x" } } }],
    countingIds(),
  );
  expect(short).toMatchObject({ violations: [{ path: "questions.0.typeSettings.labels.4" }] });
});

test("distribution: counts of the whole scale and mean", () => {
  const question = sampleQuestion("rating", { typeSettings: { steps: 3 } });
  expect(distributionOf(question, [3, 3, 1])).toEqual({ mean: 7 / 3, min: 1, max: 3, counts: { 1: 1, 2: 0, 3: 2 } });
  expect(distributionOf(question, [])).toEqual({ mean: null, min: null, max: null, counts: { 1: 0, 2: 0, 3: 0 } });
});

test("answers from a longer scale of an older version stay in the distribution", () => {
  const [old, now] = [sampleQuestion("rating"), sampleQuestion("rating", { typeSettings: { steps: 3 } })];
  expect(distributionOf(now, [5, 1])).toEqual(
    expect.objectContaining({ mean: 3, max: 5, counts: { 1: 1, 2: 0, 3: 0, 5: 1 } }),
  );
  expect(distributionOf(old, [5, 1])).toEqual(expect.objectContaining({ mean: 3, max: 5 }));
});
