import { callOptions } from "@canvass/rpc";
import type { Question, SurveyDefinition } from "@canvass/questions";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  choiceQuestion,
  definitionOf,
  numberQuestion,
  ratingQuestion,
  readAggregation,
  startHarness,
  surveyId,
  testId,
  type ResponseHarness,
} from "./harness.ts";

const choice = choiceQuestion("c", ["red", "green"]);
const [red, green] = choice.choices!.map(({ id }) => id) as [string, string];
const withoutRed: Question = {
  ...choice,
  choices: choice.choices!.map((one) => ({ ...one, retired: one.id === red })),
};
const [rating, number] = [ratingQuestion("a"), numberQuestion("n")];
/** The first version; the rating leaves and a choice is retired; the rating is back, asked anew in other words. */
const versions: SurveyDefinition[] = [
  definitionOf([[rating, number, choice]]),
  definitionOf([[number, withoutRed]]),
  definitionOf([[number, withoutRed, { ...rating, text: "Once more" }]]),
];

let harness: ResponseHarness;
beforeAll(async () => {
  harness = await startHarness([[rating, number, choice]]);
  for (const [index, version] of versions.entries()) harness.survey.versions.set(index + 1, version);
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(async () => {
  harness.survey.settings = { collection: { editAfterSubmit: "always" } };
  harness.survey.versionNumber = 1;
  harness.clock.set(new Date("2026-03-01T12:00:00Z"));
  await harness.pool.query(`TRUNCATE respondents, answer_sets, survey_counters, question_counters, bucket_counters,
    number_counters, completion_slots`);
});

const options = () => callOptions({ signedCaller: harness.signed() });
const aggregation = () => readAggregation(harness.client, options());
const tagOf = async () => (await aggregation()).contentHash;

/** A question's figures by its name. */
async function figures() {
  const { questionStats } = await aggregation();
  return Object.fromEntries(
    questionStats.map(({ questionId, elementId, responseCount, uniqueRespondents, distributionJson }) => [
      questionId.slice(1, 2),
      {
        elementId,
        counts: [Number(responseCount), Number(uniqueRespondents)],
        distribution: JSON.parse(distributionJson) as { counts?: Record<string, number> },
      },
    ]),
  );
}

async function submit(respondentId: string, values: Record<string, unknown>): Promise<void> {
  const responses = Object.entries(values).map(([name, value]) => ({ elementId: testId(name), value }));
  const outcome = await harness.submit({ respondentId, responses, metadata: { complete: false } });
  expect(outcome).toMatchObject({ code: "submitted" });
}

async function respond(values: Record<string, unknown>): Promise<string> {
  const respondentId = await harness.start();
  await submit(respondentId, values);
  return respondentId;
}

const complete = (respondentId: string) =>
  harness.submit({ respondentId, responses: [], metadata: { complete: true } });

const erase = (respondentId: string) => harness.client.eraseRespondent({ surveyId, respondentId }, options());

test("an edit moves a count, an answer taken back leaves every figure, smallest and largest among them", async () => {
  const one = await respond({ a: 2, n: -4.25, c: [red] });
  await respond({ a: 6, n: 10, c: [red, green] });
  await submit(one, { a: 4, n: 3, c: [green] });
  expect(await figures()).toMatchObject({
    a: { counts: [2, 2], distribution: { mean: 5, min: 4, max: 6 } },
    n: { counts: [2, 2], distribution: { mean: 6.5, min: 3, max: 10 } },
    c: { counts: [2, 2], distribution: { counts: { [red]: 1, [green]: 2 } } },
  });
  await submit(one, { a: null, n: null, c: null });
  expect(await figures()).toMatchObject({
    a: { counts: [1, 1], distribution: { mean: 6, min: 6, max: 6 } },
    n: { counts: [1, 1], distribution: { mean: 10, min: 10, max: 10 } },
    c: { counts: [1, 1], distribution: { counts: { [red]: 1, [green]: 1 } } },
  });
});

test("a question that left keeps its answers without an element, until it is published again", async () => {
  const early = await respond({ a: 2, c: [red] });
  const kept = await figures();
  harness.survey.versionNumber = 2;
  expect(await figures()).toMatchObject({ a: { ...kept["a"], elementId: "" } });
  // Earlier respondents keep their version, and a choice that was retired since counts.
  await submit(early, { a: 3 });
  await respond({ c: [green] });
  expect(await figures()).toMatchObject({
    a: { elementId: "", counts: [1, 1], distribution: { mean: 3 } },
    c: { elementId: choice.elementId, counts: [2, 2], distribution: { counts: { [red]: 1, [green]: 1 } } },
  });

  harness.survey.versionNumber = 3;
  await respond({ a: 6 });
  expect(await figures()).toMatchObject({
    a: { elementId: rating.elementId, counts: [2, 2], distribution: { mean: 4.5, min: 3, max: 6 } },
  });
});

test("a retired choice cannot be chosen any more, and its count goes when its answer does", async () => {
  const early = await respond({ c: [red] });
  harness.survey.versionNumber = 2;
  const late = await harness.start();
  const refused = await harness.submit({ respondentId: late, responses: [{ elementId: testId("c"), value: [red] }] });
  expect(refused).toMatchObject({ code: "validation_failed" });
  expect((await figures())["c"]).toMatchObject({ counts: [1, 1], distribution: { counts: { [red]: 1 } } });
  await submit(early, { c: [green] });
  const { counts, distribution } = (await figures())["c"]!;
  expect([counts, distribution.counts![red] ?? 0, distribution.counts![green]]).toEqual([[1, 1], 0, 1]);
});

test("an erased respondent leaves no trace in any figure, of questions that left neither", async () => {
  const gone = await respond({ a: 1, n: 99, c: [red] });
  await complete(gone);
  harness.clock.advance(3_600_000);
  harness.survey.versionNumber = 2;
  const stays = await respond({ n: 5, c: [green] });
  harness.clock.advance(30_000);
  await complete(stays);
  expect(await aggregation()).toMatchObject({ totalStarted: 2n, totalCompleted: 2n, averageCompletionSeconds: 15 });
  await erase(gone);
  expect(await aggregation()).toMatchObject({ totalStarted: 1n, totalCompleted: 1n, averageCompletionSeconds: 30 });
  const { a, n, c } = await figures();
  expect(a?.counts ?? [0, 0]).toEqual([0, 0]);
  expect(n).toMatchObject({ counts: [1, 1], distribution: { mean: 5, min: 5, max: 5 } });
  expect([c!.counts, c!.distribution.counts![red] ?? 0]).toEqual([[1, 1], 0]);
});

test("the content hash stays while nothing changes, and is new after every visible change", async () => {
  const seen = new Set([await tagOf()]);
  let person = "";
  const changes: Record<string, () => unknown> = {
    start: async () => (person = await harness.start()),
    answer: () => submit(person, { a: 2, n: 1, c: [red] }),
    edit: () => submit(person, { a: 3 }),
    "same count, other choice": () => submit(person, { c: [green] }),
    "taken back": () => submit(person, { n: null }),
    completion: () => complete(person),
    "another day": () => harness.clock.advance(86_400_000),
    "question left": () => (harness.survey.versionNumber = 2),
  };
  for (const [name, change] of Object.entries(changes)) {
    await change();
    const tag = await tagOf();
    expect([name, seen.has(tag)]).toEqual([name, false]);
    seen.add(tag);
    // An equal answer, and time within the day, change nothing.
    harness.clock.advance(1_000);
    if (name === "answer") await submit(person, { a: 2, n: 1, c: [red] });
    expect([name, await tagOf()]).toEqual([name, tag]);
  }
  const before = await tagOf();
  await erase(person);
  expect(await tagOf()).not.toBe(before);
});

test("a test respondent changes neither figures nor the content hash", async () => {
  await respond({ a: 4 });
  const [stood, tag] = [await figures(), await tagOf()];
  const respondentId = await harness.start({ live: false });
  const body = { respondentId, responses: [{ elementId: testId("a"), value: 1 }] };
  await harness.submit(body, { caller: harness.signed({ live: false }) });
  expect([await figures(), await tagOf()]).toEqual([stood, tag]);
});
