import { callOptions } from "@canvass/rpc";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  numberQuestion,
  ratingQuestion,
  readAggregation,
  startHarness,
  surveyId,
  testId,
  type ResponseHarness,
} from "./harness.ts";

const stars = ratingQuestion("stars", true);
const why = numberQuestion("why");
const from = numberQuestion("from");
const to = numberQuestion("to");
const message = "The end must be after the beginning.";

let harness: ResponseHarness;
beforeAll(async () => {
  const low = { elementId: stars.elementId, operator: "at_most" as const, value: 2 };
  const constraint = { elementId: to.elementId, operator: "greater_than" as const, answerOf: from.elementId };
  why.logic = { showIf: low, requiredIf: low };
  to.logic = { constraints: [{ must: constraint, message }] };
  harness = await startHarness([[stars, why], [from], [to]]);
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => {
  harness.survey.settings = { collection: { editAfterSubmit: "always" } };
});

const answer = ({ elementId }: { elementId: string }, value: unknown) => ({ elementId, value });
const options = () => callOptions({ signedCaller: harness.signed() });

async function responsesTo(questionId: string) {
  const { questionStats } = await readAggregation(harness.client, options());
  return questionStats.find((each) => each.questionId === questionId)?.responseCount ?? 0n;
}

test("a page is saved and a respondent completes by what is shown, required and valid", async () => {
  const respondentId = await harness.start();
  const save = (responses: object[], page: number) =>
    harness.submit({ respondentId, responses, pageId: testId(`page${page}`) });
  await save([answer(stars, 1)], 1);
  await save([answer(from, 5)], 2);
  // The compared answer is stored already: the service reads it.
  expect(await save([answer(to, 5)], 3)).toEqual({
    code: "validation_failed",
    details: { "responses.0.value": [message] },
  });
  expect(await save([answer(to, 6)], 3)).toMatchObject({ status: "started" });
  await save([answer(why, 9)], 1);
  expect(await responsesTo(why.questionId)).toBe(1n);
  await save([answer(stars, 5)], 1);
  expect(await save([], 3)).toMatchObject({ status: "completed" });
  // Hidden again, the answer leaves results.
  expect(await responsesTo(why.questionId)).toBe(0n);
  expect(await responsesTo(to.questionId)).toBe(1n);
  const { respondent } = await harness.client.getRespondent({ surveyId, respondentId }, options());
  expect(respondent!.percentComplete).toBe(100);
  // Required again, it may be taken back no more.
  expect(await save([answer(stars, 2)], 1)).toMatchObject({ code: "submitted" });
  expect(await responsesTo(why.questionId)).toBe(1n);
  expect(await save([answer(why, null)], 1)).toMatchObject({ code: "validation_failed" });
});
