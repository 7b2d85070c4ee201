import { callOptions } from "@canvass/rpc";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startHarness, surveyId, type ResponseHarness } from "./harness.ts";
import { answerTo, items, loop, looped, loopedPages, pageIds } from "./looped-survey.ts";

const [first, second] = items as [string, string, string];

let harness: ResponseHarness;
beforeAll(async () => {
  harness = await startHarness(loopedPages);
  const { pages } = harness.survey.versions.get(1)!;
  pages[1]!.loop = loop;
  // Who answers 1 skips the page that repeats.
  const when = { elementId: looped.rating.elementId, operator: "equals" as const, value: 1 };
  pages[0]!.skipLogic = [{ when, goTo: pages[2]!.pageId }];
  for (const question of [looped.rating, looped.itemRating]) question.responseValidation = { required: true };
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => {
  harness.survey.settings = {};
});

const options = () => callOptions({ signedCaller: harness.signed() });

async function progress(respondentId: string) {
  const { respondent } = await harness.client.getRespondent({ surveyId, respondentId }, options());
  return [respondent!.status, respondent!.percentComplete];
}

async function current(respondentId: string, elementId: string) {
  const { answer } = await harness.client.getAnswer({ surveyId, respondentId, elementId }, options());
  return answer && JSON.parse(answer.valueJson);
}

test("a page that repeats is answered once per item, and progress counts reachable questions", async () => {
  const respondentId = await harness.start();
  expect(await progress(respondentId)).toEqual(["started", 0]);
  const save = (responses: object[], pageId: string) => harness.submit({ respondentId, responses, pageId });
  await save([answerTo(looped.choice, [first, second]), answerTo(looped.rating, 3)], pageIds.first);
  // Four questions of the first page, two repetitions, one of the last page.
  expect(await progress(respondentId)).toEqual(["started", 28]);
  await save([answerTo(looped.itemRating, 2, first)], pageIds.item(first));
  expect(await progress(respondentId)).toEqual(["started", 42]);
  // The last page does not complete while a repetition lacks its required answer.
  expect(await save([answerTo(looped.text, "x")], pageIds.last)).toMatchObject({ status: "started" });
  await save([answerTo(looped.itemRating, 5, second)], pageIds.item(second));
  expect(await save([], pageIds.last)).toMatchObject({ status: "completed" });
  const answers = items.map((item) => current(respondentId, `${looped.itemRating.elementId}:${item}`));
  expect(await Promise.all(answers)).toEqual([2, 5, undefined]);
});

test("an answer for an item that is not offered, or without an item, is refused", async () => {
  const respondentId = await harness.start();
  const responses = [answerTo(looped.itemRating, 2, "nothing000000000"), answerTo(looped.itemRating, 2)];
  expect(await harness.submit({ respondentId, responses })).toMatchObject({
    code: "validation_failed",
    details: { "responses.0.elementId": expect.anything(), "responses.1.elementId": expect.anything() },
  });
});

test("skipped questions are not required for completion", async () => {
  const respondentId = await harness.start();
  const responses = [answerTo(looped.choice, items), answerTo(looped.rating, 1)];
  await harness.submit({ respondentId, responses, pageId: pageIds.first });
  expect(await progress(respondentId)).toEqual(["started", 40]);
  expect(await harness.submit({ respondentId, responses: [], pageId: pageIds.last })).toMatchObject({
    status: "completed",
  });
});

test.each([
  ["never", false, false],
  ["until_complete", true, false],
  ["always", true, true],
])("editAfterSubmit %s lets items change before completion: %s, after: %s", async (editAfterSubmit, before, after) => {
  harness.survey.settings = { collection: { editAfterSubmit } };
  const respondentId = await harness.start();
  const one = (value: number) => [answerTo(looped.itemRating, value, first)];
  const save = async (responses: object[], complete: boolean) =>
    (await harness.submit({ respondentId, responses, metadata: { complete } })).code === "submitted";
  await save([answerTo(looped.choice, [first]), answerTo(looped.rating, 2), ...one(2)], false);
  expect(await save(one(3), false)).toBe(before);
  expect(await save([], true)).toBe(true);
  expect(await progress(respondentId)).toMatchObject(["completed", expect.any(Number)]);
  expect(await save(one(4), false)).toBe(after);
});

test("a hundred submissions at once keep a response limit exactly", async () => {
  await harness.pool.query("TRUNCATE survey_counters");
  harness.survey.settings = { collection: { responseLimit: 17 } };
  const people = await Promise.all(Array.from({ length: 100 }, () => harness.start()));
  const last = [answerTo(looped.rating, 1)];
  const outcomes = await Promise.all(people.map((respondentId) => harness.submit({ respondentId, responses: last })));
  expect(outcomes.filter(({ code }) => code === "submitted")).toHaveLength(17);
  const refused = outcomes.filter(({ code }) => code !== "submitted");
  expect(refused).toEqual(
    refused.map(() => ({ code: "survey_not_collecting", details: { reason: "response_limit" } })),
  );
  // A page save of somebody under way is refused as well: it could not end.
  const page = { respondentId: people[99]!, responses: last, pageId: pageIds.first };
  expect(await harness.submit(page)).toMatchObject({ code: "survey_not_collecting" });
  // Somebody erased makes room for one.
  const done = people[outcomes.findIndex(({ code }) => code === "submitted")]!;
  await harness.client.eraseRespondent({ surveyId, respondentId: done }, options());
  const more = await Promise.all(
    people.slice(-50).map((respondentId) => harness.submit({ respondentId, responses: last })),
  );
  const completed = await harness.sql<{ completed: number }>(
    "SELECT sum(completed)::int AS completed FROM survey_counters",
  );
  expect(completed).toEqual([{ completed: 17 }]);
  expect(new Set(more.map(({ code }) => code))).toContain("survey_not_collecting");
});
