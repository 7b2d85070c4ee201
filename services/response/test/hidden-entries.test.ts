import { callOptions } from "@canvass/rpc";
import type { Question } from "@canvass/questions";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { startExportHarness } from "./export-harness.ts";
import { ratingQuestion, readAggregation, surveyId, testId } from "./harness.ts";

const entries = (...names: string[]) => names.map((name) => ({ id: testId(name), text: name, retired: false }));
const rating = ratingQuestion("rating");
const liked = { elementId: rating.elementId, operator: "at_least" as const, value: 4 };
const drinks: Question = {
  ...ratingQuestion("drinks"),
  type: 4,
  typeSettings: { multipleAnswers: true },
  choices: entries("tea", "cider"),
  logic: { entries: { [testId("cider")]: liked } },
};
const sweet: Question = {
  ...ratingQuestion("sweet"),
  type: 5,
  typeSettings: {},
  choices: entries("cake"),
  logic: { entries: { [testId("cake")]: liked } },
};

const harness = await sharedByFile(startExportHarness([[rating, drinks, sweet]]));

const options = () => callOptions({ signedCaller: harness.signed() });
const answer = ({ elementId }: Question, value: unknown) => ({ elementId, value });

async function countsOf(question: Question, includeOffPath = false) {
  const { questionStats } = await readAggregation(harness.client, options(), { includeOffPath });
  const { responseCount, distributionJson } = questionStats.find(
    ({ questionId }) => questionId === question.questionId,
  )!;
  const { counts } = JSON.parse(distributionJson) as { counts: Record<string, number> };
  return [responseCount, ...question.choices!.map(({ id }) => counts[id])];
}

test("results, files and the recount agree on the questions shown at the end", async () => {
  const respondentId = await harness.start();
  const both = [testId("tea"), testId("cider")];
  await harness.submit({
    respondentId,
    responses: [answer(rating, 5), answer(drinks, both), answer(sweet, testId("cake"))],
    metadata: { complete: false },
  });
  expect([await countsOf(drinks), await countsOf(sweet)]).toEqual([
    [1n, 1, 1],
    [1n, 1],
  ]);
  await harness.submit({ respondentId, responses: [answer(rating, 2)], metadata: { complete: false } });
  // Going back would bring it back.
  expect(await countsOf(drinks)).toEqual([1n, 1, 1]);
  expect(await harness.submit({ respondentId, responses: [answer(rating, 2)] })).toMatchObject({ status: "completed" });
  expect([await countsOf(drinks), await countsOf(drinks, true)]).toEqual([
    [1n, 1, 0],
    [1n, 1, 0],
  ]);
  expect([await countsOf(sweet), await countsOf(sweet, true)]).toEqual([
    [0n, 0],
    [1n, 1],
  ]);
  const { answers } = await harness.client.listAnswers({ filter: { surveyId }, limit: 100, page: 1 }, options());
  expect(new Map(answers.map(({ valueJson, offPath }) => [valueJson, offPath]))).toEqual(
    new Map([
      [JSON.stringify(testId("cake")), true],
      ["2", false],
      [JSON.stringify([testId("tea")]), false],
    ]),
  );
  const [row] = await harness.rows({ labels: "ids" });
  expect(
    Object.entries(row!)
      .filter(([name]) => name.startsWith(drinks.questionId))
      .map(([, cell]) => cell),
  ).toEqual([[testId("tea")]]);
  expect(await harness.verifyResults()).toEqual([]);
});
