import type { Question } from "@canvass/questions";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { definitionOf, ratingQuestion, startHarness, surveyId, testId, type ResponseHarness } from "./harness.ts";

const textQuestion = (name: string): Question => ({ ...ratingQuestion(name, true), type: 1, typeSettings: {} });
const many = Array.from({ length: 600 }, (_, index) => `m${1000 + index}`);

let harness: ResponseHarness;
beforeAll(async () => {
  harness = await startHarness([[ratingQuestion("a", true), textQuestion("t")], [ratingQuestion("b")]]);
  // The last page holds more questions than one submission can answer.
  harness.survey.versions.set(2, definitionOf([many.map((name) => ratingQuestion(name, name === "m1000"))]));
  harness.survey.versions.set(3, definitionOf([many.map((name) => ratingQuestion(name, name === "m1599"))]));
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => {
  Object.assign(harness.survey, { versionNumber: 1, settings: {} });
});

const answer = (name: string, value: unknown, meta?: object) => ({ elementId: testId(name), value, meta });
const statusOf = async (body: object) => {
  const outcome = await harness.submit(body);
  return "status" in outcome ? outcome.status : outcome.details;
};
/** Everything a submission could change of a respondent, to the version of each row. */
const written = async (respondentId: string) => {
  const { rows } = await harness.pool.query(
    `SELECT (SELECT json_agg(r) FROM (SELECT xmin::text, * FROM respondents WHERE respondent_id = $1) r) AS respondent,
       (SELECT json_agg(a ORDER BY a) FROM (SELECT a.xmin::text, to_jsonb(a) AS row FROM answer_sets a WHERE respondent_id = $1) a) AS answers,
       (SELECT sum(responses) FROM question_counters) AS counted, (SELECT sum(count) FROM bucket_counters) AS buckets,
       (SELECT count(*) FROM question_counters) AS rows, (SELECT count(*) FROM outbox_events) AS events`,
    [respondentId],
  );
  return rows[0];
};

test.each(["never", "until_complete", "always"])(
  "with editAfterSubmit %s equal answers are no change: nothing is written, and the response is the first one",
  async (editAfterSubmit) => {
    harness.survey.settings = { collection: { editAfterSubmit } };
    const respondentId = await harness.start();
    const responses = [answer("a", 3, { device: { kind: "desk", at: [1, 2] } }), answer("t", "good"), answer("b", 5)];
    const send = () => harness.submit({ respondentId, responses });
    const first = await send();
    const before = await written(respondentId);
    harness.clock.advance(60_000);
    expect(await send()).toEqual(first);
    responses[0] = answer("a", 3, { device: { at: [1, 2], kind: "desk" } });
    expect(await send()).toEqual(first);
    expect(await statusOf({ respondentId, responses, pageId: testId("page1"), metadata: { try: 2 } })).toBe(
      "completed",
    );
    expect(await written(respondentId)).toEqual(before);
    if (editAfterSubmit === "always") return;
    responses[0] = answer("a", 3, { device: "phone" });
    expect(await statusOf({ respondentId, responses })).toEqual({ "responses.0": [expect.any(String)] });
  },
);

test("a repetition shows the time of the first, also on a survey that keeps days only", async () => {
  harness.survey.settings = { privacy: { anonymity: "full" } };
  const respondentId = await harness.start();
  const bodyJson = JSON.stringify({ respondentId, responses: [answer("a", 3), answer("t", "good")] });
  const times = async () => {
    const { results } = await harness.client.batchSubmitAnswers({
      submissions: [{ caller: harness.signed(), surveyId, bodyJson }],
    });
    const { outcome } = results[0]!;
    if (outcome.case !== "submitted") throw new Error(JSON.stringify(outcome.value));
    return outcome.value.answers.map(({ submittedAt }) => submittedAt);
  };
  const first = await times();
  harness.clock.advance(48 * 3_600_000);
  expect(await times()).toEqual(first);
});

test.each(["", " ", "\u200b", "\ufeff\u00ad"])("the required text %j does not complete a respondent", async (text) => {
  const respondentId = await harness.start();
  expect(await statusOf({ respondentId, responses: [answer("a", 3), answer("t", text)] })).toBe("started");
  expect(await statusOf({ respondentId, responses: [answer("t", "good")] })).toBe("completed");
});

test.each([null, "", "\u200b "])("a completed respondent cannot take a required answer back by %j", async (value) => {
  harness.survey.settings = { collection: { editAfterSubmit: "always" } };
  const respondentId = await harness.start();
  await harness.submit({ respondentId, responses: [answer("a", 3), answer("t", "good"), answer("b", 1)] });
  const before = await written(respondentId);
  for (const more of [{}, { pageId: testId("page1") }, { metadata: { complete: false } }]) {
    expect(await statusOf({ respondentId, responses: [answer("b", 2), answer("t", value)], ...more })).toEqual({
      "responses.1": [expect.stringContaining("taken back")],
    });
  }
  expect(await written(respondentId)).toEqual(before);
  expect(await statusOf({ respondentId, responses: [answer("b", null), answer("t", "better")] })).toBe("completed");
});

test("a last page of more than 500 questions stays open as long as the caller says so", async () => {
  harness.survey.versionNumber = 2;
  const respondentId = await harness.start();
  const part = (from: number, to?: number) => many.slice(from, to).map((name) => answer(name, 1));
  const pageId = testId("page1");
  const first = { respondentId, pageId, responses: part(0, 500), metadata: { complete: false } };
  expect(await statusOf(first)).toBe("started");
  expect(await statusOf(first)).toBe("started");
  expect(await statusOf({ respondentId, pageId, responses: part(500) })).toBe("completed");
});

test("a last page completes with the request that answers the last required question", async () => {
  harness.survey.versionNumber = 3;
  const respondentId = await harness.start();
  const pageId = testId("page1");
  const responses = many.map((name) => answer(name, 1));
  expect(await statusOf({ respondentId, pageId, responses: responses.slice(0, 500) })).toBe("started");
  expect(await statusOf({ respondentId, pageId, responses: [], metadata: { complete: true } })).toBe("started");
  expect(await statusOf({ respondentId, pageId, responses: responses.slice(500) })).toBe("completed");
});

test.each(["page1000000000000:", "page1000000000000:\u0000", "page1000000000000:x"])(
  "%j is no page, and spoils nothing beside it",
  async (visit) => {
    const [one, two] = [await harness.start(), await harness.start()];
    const pageId = visit.replace("page1000000000000", testId("page1"));
    const outcomes = await harness.submitAll([
      { body: { respondentId: one, pageId, responses: [answer("a", 99)] } },
      { body: { respondentId: two, pageId: testId("page1"), responses: [answer("a", 1)] } },
    ]);
    expect(outcomes).toMatchObject([
      {
        code: "validation_failed",
        details: { pageId: [expect.any(String)], "responses.0.value": [expect.any(String)] },
      },
      { code: "submitted" },
    ]);
  },
);
