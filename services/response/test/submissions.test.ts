import { callOptions } from "@canvass/rpc";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, describe, expect, test } from "vitest";
import { numberQuestion, ratingQuestion, readAggregation, startHarness, surveyId, testId } from "./harness.ts";

const harness = await sharedByFile(
  startHarness([[ratingQuestion("a", true), numberQuestion("n")], [ratingQuestion("b", true)]]),
);
beforeEach(async () => {
  Object.assign(harness.survey, { found: true, active: true, versionNumber: 1, settings: {} });
  await harness.pool.query(
    "TRUNCATE respondents, answer_sets, survey_counters, completion_slots, question_counters, bucket_counters, number_counters, idempotency_records, outbox_events",
  );
});

const answer = (name: string, value: unknown) => ({ elementId: testId(name), value });
const complete = (respondentId: string) => ({ respondentId, responses: [answer("a", 3), answer("b", 4)] });
const counted = async () => {
  const { rows } = await harness.pool.query(`SELECT
    (SELECT coalesce(sum(started), 0)::int FROM survey_counters) AS started,
    (SELECT coalesce(sum(completed), 0)::int FROM survey_counters) AS completed,
    (SELECT count(*)::int FROM answer_sets, jsonb_object_keys(answers)) AS answers,
    (SELECT coalesce(sum(responses), 0)::int FROM question_counters) AS counted,
    (SELECT count(*)::int FROM outbox_events) AS events,
    (SELECT coalesce(sum(completions), 0)::int FROM completion_slots) AS slots`);
  return rows[0];
};
const aggregation = () => readAggregation(harness.client, callOptions({ signedCaller: harness.signed() }));

describe("one commit for many", () => {
  test("more than a batch may hold are refused together", async () => {
    const tooMany = harness.submitAll(Array.from({ length: 501 }, () => ({ body: {} })));
    await expect(tooMany).rejects.toMatchObject({
      code: "invalid_request",
      details: { submissions: [expect.anything()] },
    });
  });

  test("each submission gets its own result, and an invalid one does not affect others", async () => {
    const [one, two] = [await harness.start(), await harness.start()];
    const outcomes = await harness.submitAll([
      { body: complete(one) },
      { body: { respondentId: two, responses: [answer("a", 99)] } },
      { body: { respondentId: "nobody", responses: [answer("a", 1)] } },
      { body: { responses: [] } },
      { body: complete(two), options: { caller: "forged" } },
      { body: complete(two), options: { surveyId: testId("other") } },
      { body: { respondentId: two, responses: [answer("n", 1.5)], pageId: testId("page1") } },
    ]);
    expect(outcomes.map(({ code }) => code)).toEqual([
      "submitted",
      "validation_failed",
      "respondent_not_found",
      "invalid_request",
      "unauthorized",
      "survey_not_found",
      "submitted",
    ]);
    expect(await counted()).toEqual({ started: 2, completed: 1, answers: 3, counted: 3, events: 1, slots: 1 });
  });

  test("two submissions of one respondent in one batch see each other", async () => {
    const respondentId = await harness.start();
    const outcomes = await harness.submitAll([
      { body: { respondentId, responses: [answer("a", 1)], pageId: testId("page1") } },
      { body: { respondentId, responses: [answer("a", 2)], pageId: testId("page1") } },
      { body: { respondentId, responses: [answer("b", 5)], pageId: testId("page2") } },
      { body: { respondentId, responses: [answer("b", 6)] } },
      { body: { respondentId, responses: [answer("b", 5), answer("a", 2)] } },
    ]);
    expect(outcomes.map((outcome) => ("status" in outcome ? outcome.status : outcome.code))).toEqual([
      "started",
      "started",
      "completed",
      "validation_failed",
      "completed",
    ]);
    const { questionStats } = await aggregation();
    expect(JSON.parse(questionStats[0]!.distributionJson)).toMatchObject({ mean: 2 });
    expect(await counted()).toMatchObject({ completed: 1, answers: 2, events: 1 });
  });

  test("many batches at once on one survey and the same respondents count everything exactly once", async () => {
    const respondents = await Promise.all(Array.from({ length: 30 }, () => harness.start()));
    const batches = Array.from({ length: 12 }, () =>
      harness.submitAll(respondents.map((respondentId) => ({ body: complete(respondentId) }))),
    );
    const outcomes = (await Promise.all(batches)).flat();
    expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set(["submitted"]));
    expect(await counted()).toEqual({ started: 30, completed: 30, answers: 60, counted: 60, events: 30, slots: 30 });
  });

  test("what PostgreSQL refuses in one submission leaves the others stored", async () => {
    const [one, two] = [await harness.start(), await harness.start()];
    await harness.pool.query(
      `ALTER TABLE answer_sets ADD CONSTRAINT refuse CHECK (NOT answers @> '{"${testId("a")}": 6}') NOT VALID`,
    );
    try {
      const outcomes = await harness.submitAll([
        { body: complete(one) },
        { body: { respondentId: two, responses: [answer("a", 6)] } },
      ]);
      expect(outcomes.map(({ code }) => code)).toEqual(["submitted", "internal_error"]);
    } finally {
      await harness.pool.query("ALTER TABLE answer_sets DROP CONSTRAINT refuse");
    }
    expect(await counted()).toMatchObject({ completed: 1, answers: 2 });
  });
});

describe("idempotency", () => {
  test("a repeated key replays the first answer, another body is refused, and the effect happens once", async () => {
    const respondentId = await harness.start();
    const first = await harness.submit(complete(respondentId), { key: "k1" });
    const again = await harness.submit(complete(respondentId), { key: "k1" });
    const other = await harness.submit({ ...complete(respondentId), pageId: null }, { key: "k1" });
    expect(again).toEqual({ ...first, replayOf: "first-k1" });
    expect(other.code).toBe("idempotency_key_reused");
    const faulty = await harness.submit({ respondentId: 5, responses: "none" }, { key: "k1" });
    expect(faulty.code).toBe("idempotency_key_reused");
    expect(await counted()).toMatchObject({ completed: 1, answers: 2, events: 1 });
  });

  test("what PostgreSQL refuses leaves its key free: the repetition is stored", async () => {
    const respondentId = await harness.start();
    await harness.sql("ALTER TABLE answer_sets ADD CONSTRAINT refuse CHECK (false) NOT VALID");
    try {
      expect((await harness.submit(complete(respondentId), { key: "k5" })).code).toBe("internal_error");
    } finally {
      await harness.sql("ALTER TABLE answer_sets DROP CONSTRAINT refuse");
    }
    expect(await harness.submit(complete(respondentId), { key: "k5" })).not.toHaveProperty("replayOf");
    expect(await counted()).toMatchObject({ completed: 1, answers: 2, events: 1 });
  });

  test("fifty at once with one key: one effect, the others replay or must wait", async () => {
    const respondentId = await harness.start();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => harness.submit(complete(respondentId), { key: "k2" })),
    );
    const codes = outcomes.map((outcome) => ("replayOf" in outcome ? "replay" : outcome.code));
    expect(codes.filter((code) => code === "submitted")).toHaveLength(1);
    expect(codes.every((code) => ["submitted", "replay", "idempotency_in_progress"].includes(code))).toBe(true);
  });

  test("within one batch the second of a key has to wait, and a refused request leaves its key free", async () => {
    const respondentId = await harness.start();
    const twice = { body: complete(respondentId), options: { key: "k3" } };
    expect((await harness.submitAll([twice, twice])).map(({ code }) => code)).toEqual([
      "submitted",
      "idempotency_in_progress",
    ]);
    const other = await harness.start();
    expect((await harness.submit({ respondentId: other, responses: [answer("a", 9)] }, { key: "k4" })).code).toBe(
      "validation_failed",
    );
    expect((await harness.submit(complete(other), { key: "k4" })).code).toBe("submitted");
  });
});

describe("collecting", () => {
  const reasonOf = async (respondentId: string) =>
    (await harness.submit(complete(respondentId))) as { details?: object };

  test.each([
    ["inactive", { active: false }],
    ["not_published", { versionNumber: 0 }],
    ["not_open_yet", { settings: { schedule: { opensAt: "2026-03-02T00:00:00Z" } } }],
    ["closed", { settings: { schedule: { closesAt: "2026-03-01T09:59:59Z" } } }],
    ["closed", { settings: { schedule: { closesAt: "2026-03-01t09:59:59.123456789z" } } }],
    ["closed", { settings: { schedule: { closesAt: "2016-12-31T23:59:60Z" } } }],
  ])("settings act at once: %s", async (reason, change) => {
    const respondentId = await harness.start();
    Object.assign(harness.survey, change);
    expect(await reasonOf(respondentId)).toMatchObject({ code: "survey_not_collecting", details: { reason } });
    await expect(harness.start()).rejects.toMatchObject({ code: "survey_not_collecting" });
    expect(await counted()).toMatchObject({ started: 1, answers: 0 });
  });

  test("a response limit holds exactly, however many complete at once", async () => {
    harness.survey.settings = { collection: { responseLimit: 5 } };
    const respondents = await Promise.all(Array.from({ length: 20 }, () => harness.start()));
    const outcomes = await Promise.all(respondents.map((respondentId) => harness.submit(complete(respondentId))));
    expect(outcomes.filter(({ code }) => code === "submitted")).toHaveLength(5);
    expect(await counted()).toMatchObject({ completed: 5, events: 5 });
    await expect(harness.start()).rejects.toMatchObject({ code: "survey_not_collecting" });
  });
});

describe("results", () => {
  test("follow every change of an answer, across versions, in the workspace's days", async () => {
    harness.survey.settings = { collection: { editAfterSubmit: "always" } };
    harness.clock.set(new Date("2026-03-01T22:59:00Z"));
    const one = await harness.start();
    harness.clock.advance(60_000);
    await harness.submit({ respondentId: one, responses: [answer("a", 2), answer("b", 6), answer("n", -4.25)] });
    await harness.submit({ respondentId: one, responses: [answer("a", 5)] });
    const two = await harness.start();
    await harness.submit({ respondentId: two, responses: [answer("n", 10), answer("a", 1)], pageId: testId("page1") });
    await harness.submit({ respondentId: two, responses: [answer("a", null)], pageId: testId("page1") });

    const result = await aggregation();
    expect(result).toMatchObject({ totalStarted: 2n, totalCompleted: 1n, averageCompletionSeconds: 60 });
    expect(result.completionTrend).toHaveLength(30);
    // 23:00 UTC is midnight in Berlin: it counts for the next day.
    expect(result.completionTrend.at(-1)).toMatchObject({ date: "2026-03-02", completions: 1n });
    const [a, n, b] = result.questionStats.map((stats) => ({
      ...stats,
      distribution: JSON.parse(stats.distributionJson),
    }));
    expect(a).toMatchObject({ responseCount: 1n, uniqueRespondents: 1n, distribution: { mean: 5, min: 5, max: 5 } });
    expect(n).toMatchObject({ responseCount: 2n, distribution: { mean: 2.875, min: -4.25, max: 10 } });
    expect(b).toMatchObject({ responseCount: 1n, elementId: testId("b"), typeName: "rating" });

    harness.survey.versions.set(2, { pages: harness.survey.versions.get(1)!.pages.slice(0, 1) });
    harness.survey.versionNumber = 2;
    const later = await aggregation();
    expect(later.questionStats.find(({ questionId }) => questionId === testId("qb"))).toMatchObject({
      elementId: "",
      responseCount: 1n,
    });
    harness.clock.set(new Date("2026-03-01T10:00:00Z"));
  });

  test("leave test tokens out, and foreign workspaces see nothing", async () => {
    const respondentId = await harness.start({ live: false });
    expect((await harness.submit(complete(respondentId))).code).toBe("submitted");
    expect(await counted()).toEqual({ started: 0, completed: 0, answers: 2, counted: 0, events: 0, slots: 0 });
    const foreign = callOptions({ signedCaller: harness.signed({ workspaceId: testId("foreign") }) });
    await expect(readAggregation(harness.client, foreign)).rejects.toMatchObject({
      code: "survey_not_found",
    });
    await expect(harness.client.getRespondent({ surveyId, respondentId }, foreign)).rejects.toMatchObject({
      code: "survey_not_found",
    });
    const own = callOptions({ signedCaller: harness.signed() });
    expect((await harness.client.getRespondent({ surveyId, respondentId }, own)).respondent).toMatchObject({
      status: "completed",
      percentComplete: 66,
    });
  });
});

test("one current answer is read; a missing one is empty, and unknown and foreign respondents are refused", async () => {
  const respondentId = await harness.start();
  const elementId = testId("qb");
  const read = (fields: object = {}, person = {}) =>
    harness.client.getAnswer(
      { surveyId, respondentId, elementId, ...fields },
      callOptions({ signedCaller: harness.signed(person) }),
    );
  expect((await read()).answer).toBeUndefined();
  await harness.submit(complete(respondentId));
  const { responses } = complete(respondentId) as { responses: { elementId: string; value: unknown }[] };
  for (const { elementId: answered, value } of responses) {
    const { answer } = await read({ elementId: answered });
    expect([JSON.parse(answer!.valueJson), answer!.metaJson]).toEqual([value, ""]);
  }
  await expect(read({ respondentId: testId("absent") })).rejects.toMatchObject({ code: "respondent_not_found" });
  await expect(read({ respondentId: "no id" })).rejects.toMatchObject({ code: "respondent_not_found" });
  await expect(read({}, { workspaceId: testId("foreign") })).rejects.toMatchObject({ code: "survey_not_found" });
});

test("a submission of the wrong shape gets its violations, even for an unknown respondent or survey", async () => {
  const body = { respondentId: testId("absent"), responses: [{ elementId: testId("a") }] };
  const outcomes = [
    await harness.submit(body),
    await harness.submit(body, { surveyId: testId("other") }),
    await harness.submit(body, { surveyId: "no-id" }),
  ];
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      code: "validation_failed",
      details: { "responses.0.value": [expect.any(String)] },
    });
  }
  const fine = await harness.submit({ ...body, responses: [], metadata: {} }, { surveyId: "no-id" });
  expect(fine.code).toBe("survey_not_found");
});

describe("test tokens", () => {
  const testCaller = () => harness.signed({ live: false });

  test("cannot answer for a respondent that counts; a live token can for one that does not", async () => {
    const live = await harness.start();
    expect((await harness.submit(complete(live), { caller: testCaller() })).code).toBe("respondent_not_found");
    const tried = await harness.start({ live: false });
    expect((await harness.submit(complete(tried))).code).toBe("submitted");
    expect(await counted()).toEqual({ started: 1, completed: 0, answers: 2, counted: 0, events: 0, slots: 0 });
  });

  test("neither need a place of a response limit nor take one", async () => {
    const live = await harness.start();
    const [one, two] = [await harness.start({ live: false }), await harness.start({ live: false })];
    harness.survey.settings = { collection: { responseLimit: 1 } };
    const outcomes = await harness.submitAll(
      [one, live, two].map((respondentId) => ({ body: complete(respondentId) })),
    );
    expect(outcomes.map(({ code }) => code)).toEqual(["submitted", "submitted", "submitted"]);
  });
});

test("a respondent stays on its version when another is published", async () => {
  const respondentId = await harness.start();
  harness.survey.versions.set(3, {
    pages: [{ ...harness.survey.versions.get(1)!.pages[0]!, elements: [ratingQuestion("z")] }],
  });
  harness.survey.versionNumber = 3;
  expect((await harness.submit(complete(respondentId))).code).toBe("submitted");
  const next = await harness.start();
  expect(await harness.submit(complete(next))).toMatchObject({
    details: { "responses.0.elementId": expect.anything() },
  });
});

test("an unknown or foreign respondent is not found, and a start validates its input", async () => {
  const respondentId = await harness.start();
  // One letter off, whatever the last one is.
  const other = respondentId.slice(0, 15) + (respondentId.endsWith("x") ? "y" : "x");
  expect(await harness.submit(complete(other))).toMatchObject({ code: "respondent_not_found" });
  const start = harness.client.startRespondent(
    { surveyId, language: "not a tag", metadataJson: JSON.stringify({ a: "x".repeat(5000) }) },
    callOptions({ signedCaller: harness.signed() }),
  );
  await expect(start).rejects.toMatchObject({ details: { language: expect.anything(), metadata: expect.anything() } });
});
