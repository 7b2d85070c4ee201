import type { Question } from "@canvass/questions";
import { callOptions } from "@canvass/rpc";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { answerWeight, weightPerAnswer, mostAnswerWeight } from "../src/domain/respondents/respondent-state.ts";
import { ratingQuestion, startHarness, surveyId, testId } from "./harness.ts";

const names = Array.from({ length: 130 }, (_, at) => `t${at}x`);
const textQuestion = (name: string): Question => ({
  ...ratingQuestion(name),
  type: 2,
  typeSettings: { minLength: 0, maxLength: 50_000 },
});
/** As an answer it weighs 44 KiB. */
const long = "x".repeat(43 * 1024 - 2);
const most = Math.floor(mostAnswerWeight / (44 * 1024));

const harness = await sharedByFile(startHarness([names.map(textQuestion)]));
beforeEach(() => {
  harness.survey.settings = { collection: { editAfterSubmit: "always" } };
});

const answers = (given: Record<string, unknown>) =>
  Object.entries(given).map(([name, value]) => ({ elementId: testId(name), value }));
const submit = (respondentId: string, given: Record<string, unknown>, complete = false) =>
  harness.submit({ respondentId, responses: answers(given), metadata: { complete } });
const texts = (from: number, to: number, text = long) =>
  Object.fromEntries(names.slice(from, to).map((name) => [name, text]));

/** A respondent of as many long answers, given in submissions of twenty. */
async function heavyRespondent(count = most): Promise<string> {
  const respondentId = await harness.start();
  for (let from = 0; from < count; from += 20) {
    const outcome = await submit(respondentId, texts(from, Math.min(from + 20, count)));
    if (outcome.code !== "submitted") throw new Error(outcome.code);
  }
  return respondentId;
}

/** The first gives its answers, others get copies of its rows: to give them takes most of a second each. */
async function heavyRespondents(count: number): Promise<string[]> {
  const first = await heavyRespondent();
  const weight = await weightOf(first);
  const others = await Promise.all(Array.from({ length: count - 1 }, () => harness.start()));
  for (const other of others) {
    await harness.pool.query(
      `INSERT INTO answer_sets SELECT (jsonb_populate_record(a, jsonb_build_object('respondent_id', $2::text))).*
       FROM answer_sets a WHERE respondent_id = $1`,
      [first, other],
    );
    await harness.pool.query("UPDATE respondents SET answer_weight = $2 WHERE respondent_id = $1", [other, weight]);
  }
  return [first, ...others];
}

async function weightOf(respondentId: string): Promise<number> {
  const { rows } = await harness.pool.query("SELECT answer_weight FROM respondents WHERE respondent_id = $1", [
    respondentId,
  ]);
  return rows[0].answer_weight;
}

const own = () => callOptions({ signedCaller: harness.signed() });
const shown = async (respondentId: string) =>
  (await harness.client.getRespondent({ surveyId, respondentId, withAnswers: true }, own())).respondent!;

test("a respondent's answers have a largest weight, up to which they are read whole", async () => {
  const respondentId = await heavyRespondent();
  expect(await weightOf(respondentId)).toBe(most * 44 * 1024);
  const refused = { responses: ["would make the answers of this respondent heavier than 4 MiB together"] };
  const beyond = names[most]!;
  expect(await submit(respondentId, { [beyond]: long })).toEqual({ code: "validation_failed", details: refused });
  expect((await shown(respondentId)).answers).toHaveLength(most);
  harness.clock.advance(1);
  const listed = await harness.client.listRespondents({ surveyId, limit: 100, withAnswers: true }, own());
  const { answers: listedAnswers } = listed.respondents.find((each) => each.respondentId === respondentId)!;
  expect(listedAnswers.map(({ valueJson }) => valueJson)).toEqual(listedAnswers.map(() => JSON.stringify(long)));
  expect(listedAnswers).toHaveLength(most);

  // A submission that makes them no heavier is stored, such as one that shortens an answer by the weight it adds.
  expect((await submit(respondentId, { [names[0]!]: long.replace("x", "y") })).code).toBe("submitted");
  expect(await submit(respondentId, { [names[1]!]: "short", [beyond]: long })).toMatchObject({ code: "submitted" });
  expect((await submit(respondentId, { [names[2]!]: null })).code).toBe("submitted");
});

test("the weight is that of the answers that stand, however they were given, changed and taken back", async () => {
  const respondentId = await harness.start();
  const steps = [
    { t0x: "a", t1x: "é".repeat(40) },
    { t0x: null, t2x: "\n" },
    { t1x: "", t2x: "again", t3x: 'quoted "' },
    { t0x: "a" },
    { t0x: "a" },
  ];
  for (const step of steps) expect((await submit(respondentId, step)).code).toBe("submitted");
  const meta = { from: "test" };
  await harness.submit({
    respondentId,
    responses: [{ elementId: testId("t0x"), value: "b", meta }],
    metadata: { complete: false },
  });
  const current = (await shown(respondentId)).answers.map(({ valueJson, metaJson }) => ({
    value: JSON.parse(valueJson),
    meta: metaJson ? JSON.parse(metaJson) : null,
  }));
  expect(current).toHaveLength(3);
  expect(await weightOf(respondentId)).toBe(current.reduce((sum, answer) => sum + answerWeight(answer), 0));
});

test("a respondent that an older process left uncounted is counted with its next submission", async () => {
  const respondentId = await heavyRespondent();
  await harness.pool.query("UPDATE respondents SET answer_weight = NULL WHERE respondent_id = $1", [respondentId]);
  expect((await submit(respondentId, { [names[most]!]: long })).code).toBe("validation_failed");
  expect((await submit(respondentId, { [names[0]!]: null })).code).toBe("submitted");
  const weight = (most - 1) * 44 * 1024;
  expect((await weightOf(respondentId)) - weight).toBeGreaterThanOrEqual(0);
  expect((await weightOf(respondentId)) - weight).toBeLessThan(100 * most + weightPerAnswer);
});

test("a batch of heavy respondents is read in chunks, a few with each commit", async () => {
  const heavy = await heavyRespondents(12);
  const light = await harness.start();
  const submissions = [...heavy, light, ...heavy].map((respondentId) => ({
    body: { respondentId, responses: answers({ [names[0]!]: "short" }), metadata: { complete: true } },
  }));
  const outcomes = await harness.submitAll(submissions);
  expect(outcomes.map((outcome) => "status" in outcome && outcome.status)).toEqual(submissions.map(() => "completed"));
  const { rows } = await harness.pool.query<{ together: number }>(
    "SELECT count(*)::int AS together FROM respondents WHERE respondent_id = ANY ($1) GROUP BY xmin::text",
    [heavy],
  );
  expect(Math.max(...rows.map(({ together }) => together))).toBeLessThanOrEqual(3);
});

test("page saves that change heavy answers share a commit only as far as they can be read together", async () => {
  const heavy = await heavyRespondents(6);
  const submissions = heavy.map((respondentId) => ({
    body: { respondentId, responses: answers(texts(0, 60, "short")), pageId: null, metadata: { complete: false } },
  }));
  const outcomes = await harness.submitAll(submissions);
  expect(outcomes.map(({ code }) => code)).toEqual(heavy.map(() => "submitted"));
  const { rows } = await harness.pool.query<{ together: number }>(
    "SELECT count(*)::int AS together FROM respondents WHERE respondent_id = ANY ($1) GROUP BY xmin::text",
    [heavy],
  );
  expect(Math.max(...rows.map(({ together }) => together))).toBeLessThanOrEqual(3);
});
