import type { Condition, StoredQuota, SurveyDefinition } from "@canvass/questions";
import { callOptions } from "@canvass/rpc";
import { idempotency } from "@canvass/service/testing";
import fc from "fast-check";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { definitionOf, ratingQuestion, startHarness, surveyId, testId } from "./harness.ts";
import { publishNext } from "./survey-double.ts";

const pages = [[ratingQuestion("a", true)], [ratingQuestion("b", true)], [ratingQuestion("c")]];
const [first, second, third] = ["page1", "page2", "page3"].map(testId) as [string, string, string];

const harness = await sharedByFile(startHarness(pages));
beforeEach(async () => {
  Object.assign(harness.survey, { settings: {} });
  await harness.pool.query(`TRUNCATE respondents, answer_sets, survey_counters, question_counters, bucket_counters,
    number_counters, completion_slots, quota_counters, activity_slots, idempotency_records, outbox_events`);
});

const is = (name: string, value: number): Condition => ({ elementId: testId(name), operator: "equals", value });

function quota(name: string, when: Condition, rest: Partial<StoredQuota> = {}): StoredQuota {
  return { quotaId: testId(name), name, when, limit: 1, onFull: "close", message: null, ...rest };
}

/** Publishes a version with quotas. */
function publish(...quotas: StoredQuota[]): void {
  const definition = definitionOf(pages);
  // Who answers 6 skips the second page.
  definition.pages[0]!.skipLogic = [{ when: is("a", 6), goTo: third }];
  publishNext(harness.survey, { ...definition, quotas });
}

const answers = (given: Record<string, unknown>) =>
  Object.entries(given).map(([name, value]) => ({ elementId: testId(name), value }));
const save = (respondentId: string, pageId: string, given: Record<string, unknown>, options = {}) =>
  harness.submit({ respondentId, pageId, responses: answers(given) }, options);
const complete = (respondentId: string, given: Record<string, unknown>, options = {}) =>
  harness.submit({ respondentId, responses: answers(given), metadata: { complete: true } }, options);

async function completeOne(given: Record<string, unknown>) {
  const respondentId = await harness.start();
  return { respondentId, outcome: await complete(respondentId, given) };
}

const options = (person = {}) => callOptions({ signedCaller: harness.signed(person) });

async function counts(): Promise<Record<string, number>> {
  const { counts } = await harness.client.getQuotaCounts({ surveyId }, options());
  return Object.fromEntries(counts.map(({ quotaId, completed }) => [quotaId.replace(/0+$/, ""), Number(completed)]));
}

async function statusOf(respondentId: string): Promise<string> {
  return (await harness.client.getRespondent({ surveyId, respondentId }, options())).respondent!.status;
}

const completed = expect.objectContaining({ code: "submitted", status: "completed" });
const full = (name: string, rest: object = {}) => ({
  code: "quota_full",
  details: { quotaId: testId(name), name, onFull: "close", message: null, ...rest },
});

test("a full quota refuses the completion with its name, and stores nothing of the request", async () => {
  publish(quota("men", is("a", 1)), quota("told", is("a", 2), { onFull: "message", message: "Thank you." }));
  expect((await completeOne({ a: 1, b: 3 })).outcome).toEqual(completed);
  expect((await completeOne({ a: 2, b: 3 })).outcome).toEqual(completed);
  const { respondentId, outcome } = await completeOne({ a: 1, b: 3 });
  expect(outcome).toEqual(full("men"));
  const told = await completeOne({ a: 2, b: 3 });
  expect(told.outcome).toEqual(full("told", { onFull: "message", message: "Thank you." }));
  expect(await statusOf(respondentId)).toBe("started");
  const rows = "SELECT respondent_id FROM answer_sets WHERE respondent_id = ANY($1)";
  expect((await harness.pool.query(rows, [[respondentId, told.respondentId]])).rows).toEqual([]);
  expect(await counts()).toEqual({ men: 1, told: 1 });
  expect((await completeOne({ a: 3, b: 3 })).outcome).toEqual(completed);
  expect(await harness.verifyResults()).toEqual([]);
});

test("a hundred completions at once over two processes fill a quota of ten exactly", async () => {
  publish(quota("ten", is("a", 1), { limit: 10 }), quota("half", is("b", 2), { limit: 30 }));
  await using other = await harness.startAnother();
  const clients = [harness.client, harness.clientAt(other.url)];
  const respondents = await Promise.all(Array.from({ length: 100 }, () => harness.start()));
  const codes = await Promise.all(
    respondents.map(async (respondentId, index) => {
      const body = { respondentId, responses: answers({ a: 1, b: 1 + (index % 2) }), metadata: { complete: true } };
      const submission = { caller: harness.signed(), surveyId, bodyJson: JSON.stringify(body), traceparent: "" };
      const { results } = await clients[index % 2]!.batchSubmitAnswers({ submissions: [submission] });
      const [{ outcome }] = results as [(typeof results)[number]];
      return outcome.case === "error" ? outcome.value.code : outcome.value?.respondentStatus;
    }),
  );
  const statuses = Map.groupBy(codes, (code) => code);
  expect([statuses.get("completed")?.length, statuses.get("quota_full")?.length]).toEqual([10, 90]);
  expect((await counts())["ten"]).toBe(10);
  expect(await harness.verifyResults()).toEqual([]);
});

test("one commit of many completions fills a quota exactly, too", async () => {
  publish(quota("ten", is("a", 1), { limit: 10 }));
  const respondents = await Promise.all(Array.from({ length: 30 }, () => harness.start()));
  const outcomes = await harness.submitAll(
    respondents.map((respondentId) => ({
      body: { respondentId, responses: answers({ a: 1, b: 1 }), metadata: { complete: true } },
    })),
  );
  expect(outcomes.map(({ code }) => code)).toEqual([
    ...Array.from({ length: 10 }, () => "submitted"),
    ...Array.from({ length: 20 }, () => "quota_full"),
  ]);
  expect(await counts()).toEqual({ ten: 10 });
});

test("the response to a page says that a quota is full as soon as its answers decide it", async () => {
  publish(quota("early", is("a", 1)), quota("late", { all: [is("a", 2), is("b", 2)] }));
  await completeOne({ a: 1, b: 1 });
  await completeOne({ a: 2, b: 2 });
  const one = await harness.start();
  expect(await save(one, first, { a: 1 })).toMatchObject({ status: "started", quotaFull: "early" });
  expect(await save(one, first, { a: 2 })).not.toHaveProperty("quotaFull");
  expect(await save(one, second, { b: 2 })).toMatchObject({ status: "started", quotaFull: "late" });
  expect(await save(one, second, { b: 1 })).not.toHaveProperty("quotaFull");
  expect(await save(one, third, { c: 1 })).toEqual(completed);
  expect(await counts()).toEqual({ early: 1, late: 1 });
});

test("with full anonymity a screened-out respondent leaves no exact time, like one who completes", async () => {
  publish(quota("screen", is("a", 1), { onFull: "end" }));
  harness.survey.settings = { privacy: { anonymity: "full" } };
  await completeOne({ a: 1, b: 1 });
  const open = await harness.start();
  await save(open, first, { a: 2 });
  expect((await completeOne({ a: 1, b: 1 })).outcome).toMatchObject({ status: "screened_out" });
  const { rows } = await harness.pool.query(
    "SELECT respondent_id FROM respondents WHERE exact_started_at IS NOT NULL OR exact_seen_at IS NOT NULL",
  );
  expect(rows).toEqual([{ respondent_id: open }]);
});

test("a quota that ends respondents screens them out, where it is decided or at the completion", async () => {
  publish(quota("screen", is("a", 1), { onFull: "end" }), quota("last", is("c", 1), { onFull: "end" }));
  await completeOne({ a: 1, b: 1, c: 1 });
  const early = await harness.start();
  const out = { code: "submitted", status: "screened_out", quotaFull: "screen" };
  expect(await save(early, first, { a: 1 }, { key: "early" })).toMatchObject(out);
  expect(await save(early, first, { a: 1 }, { key: "early" })).toMatchObject({ ...out, replayOf: "first-early" });
  const late = await harness.start();
  expect(await complete(late, { a: 2, b: 1, c: 1 }, { key: "late" })).toMatchObject({ ...out, quotaFull: "last" });
  for (const respondentId of [early, late]) {
    expect(await save(respondentId, first, { a: 3 })).toEqual({
      code: "survey_not_collecting",
      details: { reason: "screened_out" },
    });
    expect(await statusOf(respondentId)).toBe("screened_out");
  }
  harness.clock.advance(1_000);
  const list = await harness.client.listRespondents({ surveyId, status: "screened_out", limit: 10 }, options());
  expect(list.respondents.map(({ respondentId }) => respondentId).toSorted()).toEqual([early, late].toSorted());
  const open = await harness.client.listRespondents({ surveyId, status: "started", limit: 10 }, options());
  expect(open.respondents).toEqual([]);
  const events = await harness.pool.query("SELECT 1 FROM outbox_events");
  expect(events.rows).toHaveLength(1);
  const { rows } = await harness.pool.query("SELECT sum(respondents)::int AS live FROM activity_slots");
  expect(rows).toEqual([{ live: 0 }]);
  expect(await harness.verifyResults()).toEqual([]);
  await harness.client.eraseRespondent({ surveyId, respondentId: early }, options());
  expect((await harness.pool.query("SELECT sum(respondents)::int AS live FROM activity_slots")).rows).toEqual(rows);
  expect(await harness.verifyResults()).toEqual([]);
});

test("tests fill no quota and are not refused", async () => {
  publish(quota("men", is("a", 1)));
  await completeOne({ a: 1, b: 1 });
  const caller = harness.signed({ live: false });
  const { respondent } = await harness.client.startRespondent({ surveyId }, callOptions({ signedCaller: caller }));
  expect(await complete(respondent!.respondentId, { a: 1, b: 1 }, { caller })).toEqual(completed);
  expect(await counts()).toEqual({ men: 1 });
});

test("an erasure and a changed answer free a place, and a change takes no place of a full quota", async () => {
  harness.survey.settings = { collection: { editAfterSubmit: "always" } };
  publish(quota("men", is("a", 1)), quota("women", is("a", 2)));
  const one = await completeOne({ a: 1, b: 1 });
  const two = await completeOne({ a: 2, b: 1 });
  expect(await save(two.respondentId, first, { a: 1 })).toEqual(full("men"));
  expect(await save(two.respondentId, first, { a: 2 })).toEqual(completed);
  expect(await save(one.respondentId, first, { a: 3 })).toEqual(completed);
  expect(await counts()).toEqual({ men: 0, women: 1 });
  expect(await save(two.respondentId, first, { a: 1 })).toEqual(completed);
  expect(await counts()).toEqual({ men: 1, women: 0 });
  await harness.client.eraseRespondent({ surveyId, respondentId: two.respondentId }, options());
  expect(await counts()).toEqual({ men: 0, women: 0 });
  expect(await harness.verifyResults()).toEqual([]);
});

test("a batch returns for each submission whether a quota is full", async () => {
  publish(quota("men", is("a", 1)), quota("screen", is("a", 2), { onFull: "end" }));
  const item = (a: number) => ({ responses: answers({ a, b: 1 }), metadata: { complete: true } });
  const body = { submissions: [item(1), item(1), item(2), item(2)] };
  const keyed = callOptions({ signedCaller: harness.signed(), idempotency: idempotency("batch", body, {}) });
  const send = () => harness.client.submitBatch({ surveyId, bodyJson: JSON.stringify(body) }, keyed);
  const { submissions } = await send();
  expect(submissions.map(({ error, quotaFull }) => [error?.code, quotaFull?.name])).toEqual([
    [undefined, undefined],
    ["quota_full", undefined],
    [undefined, undefined],
    [undefined, "screen"],
  ]);
  expect((await send()).submissions).toEqual(submissions);
  expect(await counts()).toEqual({ men: 1, screen: 1 });
});

test("a recount finds counts that differ, and mends them", async () => {
  publish(quota("men", is("a", 1), { limit: 5 }));
  await completeOne({ a: 1, b: 1 });
  await harness.pool.query("UPDATE quota_counters SET completed = 4");
  expect(await harness.verifyResults({ repair: true })).toMatchObject([
    { counter: "quota_counters.completed", quotaId: testId("men"), standing: "1", counted: "4" },
  ]);
  expect(await counts()).toEqual({ men: 1 });
});

test("counts of an absent or foreign survey are refused", async () => {
  const foreign = options({ workspaceId: "workspace2000000" });
  await expect(harness.client.getQuotaCounts({ surveyId: testId("absent") }, options())).rejects.toThrow(
    /no such survey/,
  );
  await expect(harness.client.getQuotaCounts({ surveyId }, foreign)).rejects.toThrow(/no such survey/);
});

const some = fc.integer({ min: 1, max: 6 });

test("after any answers, changes and retractions, no quota exceeds its limit, and a recount agrees", async () => {
  harness.survey.settings = { collection: { editAfterSubmit: "always" } };
  const step = fc.record({ who: fc.nat(5), what: fc.constantFrom("complete", "change", "erase"), a: some, b: some });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
      await harness.pool.query(`TRUNCATE respondents, answer_sets, survey_counters, question_counters, bucket_counters,
        number_counters, completion_slots, quota_counters, activity_slots`);
      const limits = { low: 2, b: 1, none: 2 };
      publish(
        quota("low", { elementId: testId("a"), operator: "less_than", value: 4 }, { limit: limits.low }),
        quota("b", is("b", 2), { limit: limits.b }),
        quota("none", { elementId: testId("b"), operator: "not_answered" }, { limit: limits.none, onFull: "end" }),
      );
      const people = await Promise.all(Array.from({ length: 6 }, () => harness.start()));
      for (const { who, what, a, b } of steps) {
        const respondentId = people[who]!;
        if (what === "complete") await complete(respondentId, { a, b });
        else if (what === "change") await save(respondentId, first, { a });
        else {
          await harness.client.eraseRespondent({ surveyId, respondentId }, options());
          people[who] = await harness.start();
        }
      }
      for (const [name, count] of Object.entries(await counts())) {
        expect(count).toBeLessThanOrEqual(limits[name as keyof typeof limits]);
      }
      expect(await harness.verifyResults()).toEqual([]);
    }),
    { numRuns: 10 },
  );
});

test("messages of quotas and constraints are in the respondent's language, if its translation can be had", async () => {
  const { survey } = harness;
  const into = (place: string, text: string) => ({ de: { [place]: { text, source: "" } } });
  const translated = (name: string, when: Condition) => ({
    ...quota(name, when, { limit: 1, onFull: "message", message: `Full: ${name}.` }),
    translations: into("message", `Voll: ${name}.`),
  });
  publish(translated("early", is("a", 1)), translated("last", is("b", 2)));
  const version = survey.versions.get(survey.versionNumber)!;
  const constraints = [
    { must: { elementId: testId("a"), operator: "less_than" as const, value: 5 }, message: "Less." },
  ];
  version.pages = version.pages.map((page) => ({
    ...page,
    elements: page.elements.map((question) =>
      question.elementId === testId("a")
        ? { ...question, logic: { constraints }, translations: into("constraints.0.message", "Weniger.") }
        : question,
    ),
  }));
  survey.languages = new Set(["de"]);
  try {
    await completeOne({ a: 1, b: 1 });
    await completeOne({ a: 2, b: 2 });
    const start = async (language: string) => {
      const { respondent } = await harness.client.startRespondent({ surveyId, language }, options());
      return respondent!.respondentId;
    };
    const submit = (respondentId: string, values: Record<string, number>, metadata: object) =>
      harness.submit({ respondentId, responses: answers(values), metadata });
    const final = { complete: true };
    survey.losesTranslations = true;
    expect(await submit(await start("de"), { a: 3, b: 2 }, final)).toEqual(
      full("last", { onFull: "message", message: "Full: last." }),
    );
    survey.losesTranslations = false;
    const [german, other] = [await start("de-AT"), await start("")];
    expect(await submit(german, { a: 3, b: 2 }, final)).toEqual(
      full("last", { onFull: "message", message: "Voll: last." }),
    );
    expect(await submit(other, { a: 3, b: 2 }, final)).toEqual(
      full("last", { onFull: "message", message: "Full: last." }),
    );
    expect(await submit(other, { a: 5 }, { ...final, language: "de" })).toMatchObject({
      details: { "responses.0.value": ["Weniger."] },
    });
    expect(await submit(german, { a: 5 }, { ...final, language: "fr" })).toMatchObject({
      details: { "responses.0.value": ["Less."] },
    });
    const page = { respondentId: german, responses: answers({ a: 1 }), pageId: version.pages[0]!.pageId };
    const submission = { caller: harness.signed(), surveyId, bodyJson: JSON.stringify(page), traceparent: "" };
    const { results } = await harness.client.batchSubmitAnswers({ submissions: [submission] }, callOptions({}));
    expect(results[0]!.outcome.value).toMatchObject({ quotaFull: { message: "Voll: early." } });
  } finally {
    survey.languages = new Set();
  }
});

test("quotas by a field and by the language hold exactly, and follow the language of the last save", async () => {
  const fields: SurveyDefinition["fields"] = [{ name: "plan", type: "text", default: "free" }];
  publish(
    quota("pro", { field: "plan", operator: "equals", value: "pro" }, { limit: 3 }),
    quota("german", { language: true, operator: "equals", value: "de" }, { limit: 2 }),
  );
  harness.survey.versions.get(harness.survey.versionNumber)!.fields = fields;
  const start = async (given: object) => {
    const request = { surveyId, bodyJson: JSON.stringify(given) };
    return (await harness.client.startRespondent(request, options())).respondent!.respondentId;
  };
  const finish = async (given: object, language: string) => {
    const respondentId = await start(given);
    const body = { respondentId, responses: answers({ a: 5, b: 5 }), metadata: { complete: true, language } };
    return { respondentId, outcome: await harness.submit(body) };
  };
  const all = await Promise.all(Array.from({ length: 8 }, () => finish({ fields: { plan: "Pro" } }, "en")));
  const isStored = ({ outcome }: Awaited<ReturnType<typeof finish>>) => outcome.code === "submitted";
  expect(all.filter(isStored)).toHaveLength(3);
  expect(isStored(await finish({ language: "de" }, "en"))).toBe(true);
  const german = await Promise.all(Array.from({ length: 5 }, () => finish({}, "de-AT")));
  expect(german.filter(isStored)).toHaveLength(2);
  expect(await harness.verifyResults()).toEqual([]);
});
