import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { callOptions } from "@canvass/rpc";
import { definitionOf, numberQuestion, ratingQuestion, readAggregation, startHarness, testId } from "./harness.ts";

const harness = await sharedByFile(
  startHarness([
    [ratingQuestion("a"), numberQuestion("n")],
    [ratingQuestion("b"), ratingQuestion("c")],
  ]),
);
beforeEach(async () => {
  Object.assign(harness.survey, { versionNumber: 1, settings: { collection: { editAfterSubmit: "always" } } });
  harness.clock.set(new Date("2026-03-01T10:00:00Z"));
  await harness.pool.query("TRUNCATE respondents, answer_sets, question_counters, bucket_counters, number_counters");
});

const answer = (name: string, value: unknown, meta?: object) => ({
  elementId: testId(name),
  value,
  ...(meta && { meta }),
});
const save = (respondentId: string, responses: object[], pageId: string | null = testId("page1")) =>
  harness.submit({ respondentId, responses, pageId });
const values = (pairs: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(pairs).map(([name, value]) => [testId(name), value]));

/** What is stored, oldest first, by the seconds since the test's begin. */
async function storedSets() {
  const { rows } = await harness.pool.query(
    `SELECT extract(epoch FROM submitted_at - '2026-03-01T10:00:00Z')::int AS second, answers, metas FROM answer_sets
     ORDER BY submitted_at, respondent_id`,
  );
  return rows;
}

async function extremes() {
  const caller = callOptions({ signedCaller: harness.signed() });
  const { questionStats } = await readAggregation(harness.client, caller);
  const { min, max } = JSON.parse(questionStats.find((stats) => stats.elementId === testId("n"))!.distributionJson);
  return [min, max];
}

test("answers of the same time are adjacent, and a changed answer moves to its new time", async () => {
  const respondentId = await harness.start();
  const first = await save(respondentId, [answer("a", 1, { took: 5 }), answer("n", 7, { took: 6 }), answer("b", 2)]);
  harness.clock.advance(1000);
  const again = await save(respondentId, [answer("n", 8)]);
  expect(await storedSets()).toEqual([
    { second: 0, answers: values({ a: 1, b: 2 }), metas: values({ a: { took: 5 } }) },
    { second: 1, answers: values({ n: 8 }), metas: null },
  ]);
  const idsOf = (outcome: typeof first) => ("answerIds" in outcome ? outcome.answerIds : []);
  expect(idsOf(again)).toEqual([idsOf(first)[1]]);
  expect([...idsOf(first)].sort()).toEqual(idsOf(first));
  expect(new Set([respondentId, ...idsOf(first)]).size).toBe(4);

  harness.clock.advance(1000);
  await save(respondentId, [answer("a", null), answer("b", null), answer("c", 3)]);
  expect(await storedSets()).toEqual([
    { second: 1, answers: values({ n: 8 }), metas: null },
    { second: 2, answers: values({ c: 3 }), metas: null },
  ]);
});

test("the ids of answers sort as their respondents do, and then as their places do", async () => {
  const people = (await Promise.all(Array.from({ length: 40 }, () => harness.start()))).sort();
  const responses = ["a", "n", "b", "c"].map((name) => answer(name, 1));
  const outcomes = await harness.submitAll(people.map((respondentId) => ({ body: { respondentId, responses } })));
  const ids = outcomes.flatMap((outcome) => ("answerIds" in outcome ? outcome.answerIds : []));
  expect(ids).toHaveLength(160);
  expect(new Set([...ids, ...people]).size).toBe(200);
  expect([...ids].sort()).toEqual(ids);
});

test("submissions in one batch leave the sets that they would leave one after the other", async () => {
  const respondentId = await harness.start();
  await save(respondentId, [answer("a", 1, { took: 1 }), answer("b", 1)]);
  const page = { respondentId, pageId: testId("page1") };
  await harness.submitAll([
    { body: { ...page, responses: [answer("a", 2), answer("n", 1)] } },
    { body: { ...page, responses: [answer("a", null), answer("c", 4, { took: 9 })] } },
    { body: { ...page, responses: [answer("a", 3), answer("c", 5)] } },
  ]);
  expect(await storedSets()).toEqual([{ second: 0, answers: values({ a: 3, b: 1, c: 5, n: 1 }), metas: null }]);
  harness.clock.advance(1000);
  await harness.submitAll([
    { body: { ...page, responses: [answer("a", 4)] } },
    { body: { ...page, responses: [answer("a", null), answer("b", null), answer("n", null)] } },
  ]);
  expect(await storedSets()).toEqual([{ second: 0, answers: values({ c: 5 }), metas: null }]);
  await save(respondentId, [answer("c", null)]);
  expect(await storedSets()).toEqual([]);
});

test("with full anonymity all answers of a day are one set: order and pages reveal nothing", async () => {
  harness.survey.settings = { privacy: { anonymity: "full" } };
  const respondentId = await harness.start();
  await save(respondentId, [answer("b", 1)]);
  harness.clock.advance(60_000);
  await save(respondentId, [answer("a", 2)], testId("page2"));
  const { rows } = await harness.pool.query("SELECT submitted_at, answers FROM answer_sets");
  expect(rows).toEqual([{ submitted_at: new Date("2026-03-01T00:00:00Z"), answers: values({ a: 2, b: 1 }) }]);
});

test("a long survey is stored in parts, in the order of its places, and read as one", async () => {
  const names = Array.from({ length: 150 }, (_, index) => `q${100 + index}`);
  harness.survey.versions.set(2, definitionOf([names.map((name) => ratingQuestion(name))]));
  Object.assign(harness.survey, { versionNumber: 2, settings: { privacy: { anonymity: "full" } } });
  const respondentId = await harness.start();
  const metadata = { complete: false };
  const give = (some: string[], value: number | null) =>
    harness.submit({ respondentId, responses: some.map((name) => answer(name, value)), metadata });
  const parts = async () => {
    const { rows } = await harness.pool.query(
      `SELECT part, (SELECT array_agg(key || ' ' || value ORDER BY key) FROM jsonb_each_text(answers)) AS answers
       FROM answer_sets ORDER BY part`,
    );
    return rows.map((row) => row.answers);
  };
  const stored = (from: number, to: number, value: number) =>
    names.slice(from, to).map((name) => `${testId(name)} ${value}`);
  const outcome = await give(names, 1);
  expect(await parts()).toEqual([stored(0, 64, 1), stored(64, 128, 1), stored(128, 150, 1)]);
  expect("answerIds" in outcome && [...outcome.answerIds].sort()).toEqual("answerIds" in outcome && outcome.answerIds);
  await give(names.slice(60, 130), null);
  await give(names.slice(0, 10), 2);
  expect(await parts()).toEqual([[...stored(0, 10, 2), ...stored(10, 60, 1)], stored(130, 150, 1)]);
});

test("smallest and largest number stay exact however answers come and go, and leave nothing behind", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => harness.start()));
  const give = (numbers: (number | null)[]) =>
    Promise.all(numbers.map((number, index) => save(people[index]!, [answer("n", number)])));
  await give([3, -1.5, 3, 1e12, 0.1, -1.5]);
  expect(await extremes()).toEqual([-1.5, 1e12]);
  await give([3, 4, 3, null, 0.2, -1.5]);
  expect(await extremes()).toEqual([-1.5, 4]);
  for (const person of people) await save(person, [answer("n", 3)]);
  expect(await extremes()).toEqual([3, 3]);
  for (const person of people) await save(person, [answer("n", null)]);
  expect(await extremes()).toEqual([null, null]);
  const { rows } = await harness.pool.query(
    "SELECT number, sum(count)::int AS count FROM number_counters GROUP BY number",
  );
  expect(rows).toEqual([]);
});

test("numbers that many give and take back at the same time are counted exactly", async () => {
  const people = await Promise.all(Array.from({ length: 24 }, () => harness.start()));
  for (const numbers of [
    [1, 2, 3],
    [2, null, 1],
    [null, 3, 3],
    [3, 2, null],
  ]) {
    const outcomes = await Promise.all(people.map((person, index) => save(person, [answer("n", numbers[index % 3])])));
    expect(outcomes.every(({ code }) => code === "submitted")).toBe(true);
  }
  const { rows } = await harness.pool.query(
    "SELECT number, sum(count)::int AS count FROM number_counters GROUP BY number HAVING sum(count) <> 0 ORDER BY number",
  );
  expect(rows).toEqual([
    { number: 2, count: 8 },
    { number: 3, count: 8 },
  ]);
  expect(await extremes()).toEqual([2, 3]);
});

test("tests count in no smallest or largest number", async () => {
  const respondentId = await harness.start({ live: false });
  await save(respondentId, [answer("n", 5)]);
  expect(await storedSets()).toHaveLength(1);
  expect((await harness.pool.query("SELECT number FROM number_counters")).rows).toEqual([]);
});
