import { expect, test } from "vitest";
import { distributionOf, surprises, sampleQuestion } from "../../test/sample-question.ts";

test("takes whole numbers from 0 to 10", () => {
  expect(
    surprises(sampleQuestion("nps"), {
      good: [0, 10],
      bad: [-1, 11, 5.5, "5", null].map((value) => [value, "", "from 0 to 10"] as const),
    }),
  ).toEqual([]);
});

test("text is the standard sentence with the subject; `text` input is ignored", () => {
  const question = sampleQuestion("nps", { text: "Ignored", subject: "Canvass" });
  expect(question.text).toBe("How likely are you to recommend Canvass to a friend or colleague?");
  expect(sampleQuestion("nps").text).toBe("How likely are you to recommend us to a friend or colleague?");
});

test("distribution: score from promoters and detractors", () => {
  const distribution = distributionOf(sampleQuestion("nps"), [10, 9, 8, 7, 6, 0]);
  expect(distribution).toMatchObject({
    score: 0,
    promoters: 2,
    passives: 2,
    detractors: 2,
    mean: 40 / 6,
    min: 0,
    max: 10,
  });
  expect(distributionOf(sampleQuestion("nps"), [9, 9, 6])).toMatchObject({ score: (1 / 3) * 100 });
  expect(distributionOf(sampleQuestion("nps"), [])).toMatchObject({ score: null, promoters: 0, mean: null });
});
