import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ListRespondentsRequestSchema } from "@canvass/proto/response";
import type { HiddenField } from "@canvass/questions";
import { callOptions } from "@canvass/rpc";
import { refusal } from "@canvass/service/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { definitionOf, ratingQuestion, surveyId, testId } from "./harness.ts";
import { startLinkHarness, type LinkHarness } from "./link-harness.ts";

const fields: HiddenField[] = [
  { name: "customer", type: "number" },
  { name: "constructor", type: "text" },
  { name: "utm_source", type: "text", default: "direct", allowAnonymous: true },
];

let harness: LinkHarness;
beforeAll(async () => {
  harness = await startLinkHarness();
  harness.survey.versions.set(2, { ...definitionOf([[ratingQuestion("a", true)]]), fields });
  harness.survey.versionNumber = 2;
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(async () => {
  harness.survey.settings = {};
  harness.clock.set(new Date("2026-03-01T10:00:00Z"));
  await harness.pool.query("TRUNCATE respondents, answer_sets, idempotency_records");
});

const options = () => callOptions({ signedCaller: harness.signed() });

async function start(given: object | undefined) {
  const bodyJson = JSON.stringify({ fields: given });
  const { respondent, ignored } = await harness.client.startRespondent({ surveyId, bodyJson }, options());
  return { respondentId: respondent!.respondentId, ignored };
}

async function fieldsOf(respondentId: string): Promise<unknown> {
  const { respondent } = await harness.client.getRespondent({ surveyId, respondentId }, options());
  return JSON.parse(respondent!.fieldsJson);
}

async function list(request: MessageInitShape<typeof ListRespondentsRequestSchema>) {
  return harness.client.listRespondents({ surveyId, limit: 100, ...request }, options());
}

test("values of fields are kept with the respondent, shown, and never changed", async () => {
  const { respondentId, ignored } = await start({ customer: 12, constructor: "{{x}}<b>", undeclared: [] });
  expect(ignored).toBe(1);
  const kept = { customer: 12, constructor: "{{x}}<b>", utm_source: "direct" };
  expect(await fieldsOf(respondentId)).toEqual(kept);
  expect(await harness.submit({ respondentId, responses: [{ elementId: testId("a"), value: 3 }] })).toMatchObject({
    status: "completed",
  });
  harness.clock.advance(60_000);
  const { respondents } = await list({});
  expect(respondents.map(({ fieldsJson }) => JSON.parse(fieldsJson))).toEqual([kept]);
});

test("a caller gets a violation for every invalid value, and no respondent is started", async () => {
  const given = { customer: "12", constructor: 7, utm_source: "x".repeat(1_001) };
  expect(await refusal(start(given))).toMatchObject({
    code: "validation_failed",
    details: {
      "fields.customer": ["must be a number"],
      "fields.constructor": [expect.any(String)],
      "fields.utm_source": [expect.any(String)],
    },
  });
  expect(await refusal(start({ other: "x".repeat(10_240) }))).toMatchObject({
    details: { fields: [expect.any(String)] },
  });
  expect(await refusal(start({ other: "\0" }))).toMatchObject({ code: "validation_failed" });
  expect((await harness.pool.query("SELECT FROM respondents")).rowCount).toBe(0);
});

test("a respondent can start with any query string", async () => {
  const code = harness.addLink("shared");
  const hostile = '{"__proto__":"a","toString":"b","customer":"1e5","constructor":"\\u0000","utm_source":"mail"}';
  for (const [given, kept, ignored] of [
    [hostile, { utm_source: "mail" }, 4],
    ['{"customer":"-7.5"}', { customer: -7.5, utm_source: "direct" }, 0],
  ] as const) {
    const started = await harness.start(code, { bodyJson: `{"fields":${given}}` });
    expect([await fieldsOf(started.respondent!.respondentId), started.ignored]).toEqual([kept, ignored]);
  }
  for (const given of ['["a"]', "null", "5"]) {
    const answer = await refusal(harness.start(code, { bodyJson: `{"fields":${given}}` }));
    expect(answer).toMatchObject({ code: "validation_failed", details: { fields: ["must be an object"] } });
  }
});

test("with full anonymity only fields that allow it are kept", async () => {
  harness.survey.settings = { privacy: { anonymity: "full" } };
  const { respondentId, ignored } = await start({ customer: 12, utm_source: "mail" });
  expect([await fieldsOf(respondentId), ignored]).toEqual([{ utm_source: "mail" }, 1]);
});

test("a repeated start gets the same response, and its record holds no value", async () => {
  const code = harness.addLink("shared");
  const body = { bodyJson: '{"fields":{"constructor":"okapi","more":"1"}}', key: "again" };
  const first = await harness.start(code, body);
  const again = await harness.start(code, body);
  expect([again.respondent!.respondentId, again.ignored]).toEqual([first.respondent!.respondentId, 1]);
  const { rows } = await harness.pool.query<{ response: Buffer }>("SELECT response FROM idempotency_records");
  expect(rows.map(({ response }) => response.includes("okapi"))).toEqual([false]);
});

test("respondents are listed by values of their fields, and cursors belong to them", async () => {
  const given = [{ customer: 1 }, { customer: 2, utm_source: "mail" }, { customer: 1, utm_source: "mail" }, {}];
  const people: string[] = [];
  for (const each of given) {
    people.push((await start(each)).respondentId);
    harness.clock.advance(1_000);
  }
  harness.clock.advance(60_000);
  const found = async (wanted: Record<string, string>) =>
    (await list({ fields: wanted })).respondents.map(({ respondentId }) => people.indexOf(respondentId));
  expect(await found({ customer: "1" })).toEqual([0, 2]);
  expect(await found({ customer: "1", utm_source: "mail" })).toEqual([2]);
  expect(await found({ utm_source: "direct" })).toEqual([0, 3]);
  expect(await refusal(found({ toString: "1", costumer: "1", customer: "1" }))).toMatchObject({
    code: "validation_failed",
    details: Object.fromEntries(
      ["toString", "costumer"].map((name) => [`field.${name}`, ["must name a hidden field of the survey"]]),
    ),
  });
  expect(await found({ customer: "' OR true --" })).toEqual([]);
  const { nextCursor, respondents } = await list({ fields: { customer: "1" }, limit: 1 });
  expect(respondents).toHaveLength(1);
  const next = await list({ fields: { customer: "1" }, limit: 1, cursor: nextCursor });
  expect(next.respondents.map(({ respondentId }) => respondentId)).toEqual([people[2]]);
  expect(await refusal(list({ fields: { customer: "2" }, cursor: nextCursor }))).toMatchObject({
    code: "validation_failed",
  });
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`f${at}`, "x"]));
  expect(await refusal(list({ fields: many }))).toMatchObject({ code: "validation_failed" });
});

describe("a batch", () => {
  const answer = { responses: [{ elementId: testId("a"), value: 3 }] };
  const batch = async (...submissions: object[]) =>
    (await harness.client.submitBatch({ surveyId, bodyJson: JSON.stringify({ submissions }) }, options())).submissions;

  test("gives each respondent that it starts its own fields, and a repetition changes none", async () => {
    const first = { ...answer, fields: { customer: 12, undeclared: 1 }, idempotencyKey: "row-1" };
    const stored = await batch(first, { ...answer, fields: { utm_source: "mail" } }, answer);
    expect(stored.map(({ error, ignored }) => [error, ignored])).toEqual([
      [undefined, 1],
      [undefined, 0],
      [undefined, 0],
    ]);
    const [given, named, usual] = stored.map(({ respondentId }) => respondentId);
    const direct = { utm_source: "direct" };
    expect(await fieldsOf(given!)).toEqual({ customer: 12, ...direct });
    expect(await fieldsOf(named!)).toEqual({ utm_source: "mail" });
    expect(await fieldsOf(usual!)).toEqual(direct);
    expect(await batch(first)).toMatchObject([{ respondentId: given, ignored: 1 }]);
    const [reused] = await batch({ ...first, fields: { customer: 13 } });
    expect(reused!.error?.code).toBe("idempotency_key_reused");
  });

  test("reports invalid fields together with invalid answers, starts no respondent, and refuses fields for an existing one", async () => {
    const { respondentId } = await start({ customer: 1 });
    const outcomes = await batch(
      { responses: [{ elementId: testId("a"), value: 99 }], fields: { customer: "x", constructor: 5 } },
      { ...answer, fields: ["customer"] },
      { ...answer, fields: { undeclared: "x".repeat(10_240) } },
      { ...answer, respondentId, fields: { customer: 2 } },
      { ...answer, respondentId, fields: {} },
    );
    const refused = outcomes.map(({ error }) =>
      Object.keys(JSON.parse(error?.detailsJson ?? "{}") as object).toSorted(),
    );
    expect(refused).toEqual([
      ["fields.constructor", "fields.customer", "responses.0.value"],
      ["fields"],
      ["fields"],
      ["fields"],
      ["fields"],
    ]);
    expect((await harness.pool.query("SELECT FROM respondents")).rowCount).toBe(1);
    expect(await fieldsOf(respondentId)).toMatchObject({ customer: 1 });
  });

  test("keeps only allowed data for a survey with full anonymity", async () => {
    harness.survey.settings = { privacy: { anonymity: "full" } };
    const [stored] = await batch({ ...answer, fields: { customer: 12, utm_source: "mail" } });
    expect(stored).toMatchObject({ ignored: 1 });
    expect(await fieldsOf(stored!.respondentId)).toEqual({ utm_source: "mail" });
  });
});
