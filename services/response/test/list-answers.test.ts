import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Answer, AnswerFilterSchema } from "@canvass/proto/response";
import { callOptions } from "@canvass/rpc";
import { codeOf, refusal } from "@canvass/service/testing";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  choiceQuestion,
  definitionOf,
  dropdownMatrixQuestion,
  numberQuestion,
  ratingQuestion,
  startHarness,
  surveyId,
  testId,
  workspaceId,
  type ResponseHarness,
} from "./harness.ts";

const begun = new Date("2026-03-01T10:00:00Z");
const at = (seconds: number) => new Date(begun.getTime() + seconds * 1000);
const matrix = (option: string) =>
  dropdownMatrixQuestion("dm", ["monday"], { lunch: [option, "soup"], dinner: [option] });
const pages = [
  [choiceQuestion("visited", ["rome", "oslo"]), ratingQuestion("a"), numberQuestion("n")],
  [ratingQuestion("liked")],
  [ratingQuestion("c")],
];

let harness: ResponseHarness;
beforeAll(async () => {
  const definition = definitionOf([[...pages[0]!, matrix("fish")], ...pages.slice(1)]);
  harness = await startHarness(pages);
  harness.survey.versions.set(1, { pages: definition.pages.with(1, looped(definition)) });
  harness.survey.versions.set(2, definitionOf([[...pages[0]!, matrix("meat")], ...pages.slice(1)]));
});
const looped = ({ pages: [, page] }: ReturnType<typeof definitionOf>) => ({
  ...page!,
  loop: { elementId: testId("visited") },
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(async () => {
  harness.clock.set(begun);
  Object.assign(harness.survey, { versionNumber: 1, settings: { collection: { editAfterSubmit: "always" } } });
  await harness.pool.query("TRUNCATE respondents, answer_sets, question_counters, bucket_counters, survey_counters");
});

const options = (person = {}) => callOptions({ signedCaller: harness.signed(person) });
interface Listing {
  filter?: MessageInitShape<typeof AnswerFilterSchema>;
  limit?: number;
  page?: number;
  cursor?: string;
  language?: string;
}
const list = ({ filter = {}, ...rest }: Listing = {}) =>
  harness.client.listAnswers({ filter: { surveyId, ...filter }, limit: 100, page: 1, ...rest }, options());
const byCursor = (rest: Listing = {}) => list({ cursor: "", ...rest });
const idsOf = ({ answers }: { answers: Answer[] }) => answers.map(({ answerId }) => answerId);

/** Follows the cursor to the end of the list. */
async function walk({ cursor: from = "", ...rest }: Listing = {}): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let cursor = from, hasMore = true; hasMore;) {
    const page = await byCursor({ ...rest, cursor });
    answers.push(...page.answers);
    ({ nextCursor: cursor, hasMore } = page);
  }
  return answers;
}

async function give(respondentId: string, values: Record<string, unknown>, more: object = {}, live = true) {
  const responses = Object.entries(values).map(([name, value]) => {
    const [element, item] = name.split(":");
    return { elementId: testId(element!) + (item ? `:${testId(item)}` : ""), value };
  });
  const body = { respondentId, responses, metadata: { complete: false }, ...more };
  const outcome = await harness.submit(body, { caller: harness.signed({ live }) });
  expect(outcome).toMatchObject({ code: "submitted" });
}

/** What has been given by now is before the horizon. */
const settle = () => harness.clock.advance(1);

test("answers come in the order of their times and ids, with all that is known of them", async () => {
  const first = await harness.start();
  const second = await harness.start({ live: false });
  await give(second, { n: 7 }, {}, false);
  harness.clock.set(at(1));
  const cells = { [testId("monday")]: { [testId("dinner")]: "", [testId("lunch")]: testId("fish") } };
  await give(first, { visited: [testId("rome")], dm: cells, c: 4 });
  harness.clock.set(at(2));
  harness.survey.versionNumber = 2;
  const responses = [{ elementId: `${testId("liked")}:${testId("rome")}`, value: 5, meta: { took: 3 } }];
  await harness.submit({ respondentId: first, responses, metadata: { complete: false } });
  settle();
  const { answers, hasMore, nextCursor, total, totalIsExact } = await byCursor();
  expect(answers.map((each) => [each.respondentId, each.elementId, each.itemId, each.valueJson])).toEqual([
    [second, testId("n"), "", "7"],
    [first, testId("visited"), "", JSON.stringify([testId("rome")])],
    [first, testId("dm"), "", JSON.stringify(cells)],
    [first, testId("c"), "", "4"],
    [first, testId("liked"), testId("rome"), "5"],
  ]);
  expect(answers.map(({ isTest }) => isTest)).toEqual([true, false, false, false, false]);
  expect(answers[2]).toMatchObject({
    questionId: testId("qdm"),
    typeName: "dropdown_matrix",
    valueLabelsJson: JSON.stringify({
      [testId("monday")]: { [testId("dinner")]: "(None)", [testId("lunch")]: "The fish" },
    }),
    versionNumber: 1,
    metaJson: "",
    cursor: "",
  });
  expect(answers.filter(({ valueLabelsJson }) => valueLabelsJson !== "")).toHaveLength(1);
  expect(answers[4]!.metaJson).toBe('{"took":3}');
  expect(answers.map(({ submittedAt }) => timestampDate(submittedAt!))).toEqual([begun, at(1), at(1), at(1), at(2)]);
  expect([hasMore, nextCursor === "", total, totalIsExact]).toEqual([false, false, undefined, false]);
  const { respondent } = await harness.client.getRespondent(
    { surveyId, respondentId: first, withAnswers: true },
    options(),
  );
  expect(respondent!.answers).toEqual(answers.slice(1));
});

test("texts of entries are in the language that is asked for, by number as by cursor", async () => {
  const translations = { de: { [`options.${testId("fish")}`]: { text: "Der Fisch", source: "" } } };
  harness.survey.versions.set(3, definitionOf([[{ ...matrix("fish"), translations }]]));
  Object.assign(harness.survey, { versionNumber: 3, languages: new Set(["de"]) });
  try {
    await give(await harness.start(), { dm: { [testId("monday")]: { [testId("lunch")]: testId("fish") } } });
    settle();
    const labels = async (page: Listing) =>
      (await list(page)).answers.map(
        ({ valueLabelsJson }) => JSON.parse(valueLabelsJson)[testId("monday")][testId("lunch")] as string,
      );
    for (const page of [{ page: 1 }, { cursor: "" }]) {
      expect(await labels({ ...page, language: "de-AT" })).toEqual(["Der Fisch"]);
      expect(await labels(page)).toEqual(["The fish"]);
    }
  } finally {
    harness.survey.languages = new Set();
  }
});

test("every limit shows every answer once, in one order, also where a page ends inside a set", async () => {
  const people = await Promise.all(Array.from({ length: 7 }, () => harness.start()));
  for (const [index, person] of people.entries()) {
    await give(person, { visited: [testId("oslo")], a: 1, n: index, c: 2 });
    if (index % 3 === 0) harness.clock.advance(1);
  }
  settle();
  const all = idsOf(await byCursor());
  expect([all.length, new Set(all).size]).toEqual([28, 28]);
  for (const limit of [1, 2, 3, 4, 5, 9, 14, 27, 28, 29, 100]) {
    expect(idsOf({ answers: await walk({ limit }) })).toEqual(all);
    const numbered: string[] = [];
    for (let page = 1, hasMore = true; hasMore; page += 1) {
      const found = await list({ limit, page });
      expect([found.total, found.totalIsExact]).toEqual([28n, true]);
      numbered.push(...idsOf(found));
      ({ hasMore } = found);
      expect(hasMore).toBe(page < Math.ceil(28 / limit));
      expect(idsOf({ answers: await walk({ cursor: found.nextCursor }) })).toEqual(all.slice(numbered.length));
    }
    expect(numbered).toEqual(all);
  }
});

test("each filter selects what matches it, several together what matches all, with an exact total", async () => {
  const [first, second, third] = [await harness.start(), await harness.start(), await harness.start()];
  await give(first, { visited: [testId("rome"), testId("oslo")], a: 1 });
  harness.clock.set(at(1));
  await give(first, { "liked:rome": 1, "liked:oslo": 2, c: 1 }, { metadata: { complete: true } });
  harness.clock.set(at(2));
  await give(second, { a: 2, c: 2 });
  settle();
  const shown = async (filter: object) => {
    const found = await list({ filter: { surveyId, ...filter } });
    const walked = await walk({ filter: { surveyId, ...filter }, limit: 1 });
    expect(idsOf({ answers: walked })).toEqual(idsOf(found));
    expect([found.total, found.totalIsExact]).toEqual([BigInt(found.answers.length), true]);
    return found.answers.map(
      ({ elementId, itemId, valueJson }) => elementId.slice(0, 5) + itemId.slice(0, 4) + valueJson,
    );
  };
  const named = (name: string) => testId(name).slice(0, 5);
  const liked = [`${named("liked")}rome1`, `${named("liked")}oslo2`];
  expect(await shown({ respondentId: second })).toEqual([`${named("a")}2`, `${named("c")}2`]);
  expect(await shown({ elementId: testId("liked") })).toEqual(liked);
  expect(await shown({ elementId: `${testId("liked")}:${testId("oslo")}` })).toEqual(liked.slice(1));
  expect(await shown({ elementId: testId("a"), completed: true })).toEqual([`${named("a")}1`]);
  expect(await shown({ completed: false })).toEqual([`${named("a")}2`, `${named("c")}2`]);
  const between = { from: timestampFromDate(at(1)), to: timestampFromDate(at(2)) };
  expect(await shown(between)).toEqual([`${named("c")}1`, ...liked]);
  expect(await shown({ ...between, respondentId: second })).toEqual([]);
  expect(await shown({ respondentId: third })).toEqual([]);
  expect(await refusal(shown({ respondentId: "no such one", elementId: "?" }))).toMatchObject({
    code: "validation_failed",
    details: { respondentId: [expect.any(String)], elementId: [expect.any(String)] },
  });
});

test("a cursor serves its own list and filter only, and the end of a list may be asked again", async () => {
  const person = await harness.start();
  await give(person, { a: 1 });
  settle();
  const { nextCursor, hasMore } = await byCursor({ limit: 1 });
  expect(hasMore).toBe(false);
  const cursorViolation = {
    code: "validation_failed",
    details: { cursor: ["is not a cursor of this list and its filters"] },
  };
  harness.survey.others.add(testId("other"));
  for (const filter of [{ respondentId: person }, { completed: false }, { surveyId: testId("other") }, { from: {} }]) {
    const request = { filter: { surveyId, ...filter }, cursor: nextCursor, limit: 1 };
    expect(await refusal(harness.client.listAnswers(request, options()))).toEqual(cursorViolation);
    expect(await refusal(Array.fromAsync(harness.client.streamAnswers(request, options())))).toEqual(cursorViolation);
  }
  const elsewhere = options({ workspaceId: testId("elsewhere") });
  const request = { filter: { surveyId: testId("other") }, cursor: nextCursor, limit: 1 };
  expect(await refusal(harness.client.listAnswers(request, elsewhere))).toEqual(cursorViolation);
  expect(await refusal(byCursor({ cursor: `${nextCursor}x` }))).toEqual(cursorViolation);
  expect(await byCursor({ cursor: nextCursor })).toMatchObject({ answers: [], nextCursor, hasMore: false });
  await give(person, { c: 1 });
  expect(await byCursor({ cursor: nextCursor })).toMatchObject({ answers: [], nextCursor, hasMore: true });
  settle();
  expect((await byCursor({ cursor: nextCursor })).answers.map(({ elementId }) => elementId)).toEqual([testId("c")]);
});

test("violations of the request are reported together, before the existence of the survey is checked", async () => {
  const asked = { filter: { surveyId: testId("absent"), respondentId: "", elementId: "x".repeat(65) }, limit: 0 };
  expect(await refusal(list({ ...asked, page: 2001 }))).toMatchObject({
    code: "validation_failed",
    details: { respondentId: [expect.any(String)], elementId: [expect.any(String)], limit: [expect.any(String)] },
  });
  expect(await refusal(list({ limit: 50, page: 2001 }))).toEqual({
    code: "validation_failed",
    details: { page: ["reaches 100000 answers at most; go on with `cursor`"] },
  });
  expect((await list({ limit: 50, page: 2000 })).answers).toEqual([]);
  expect(await codeOf(list({ filter: { surveyId: testId("absent") } }))).toBe("survey_not_found");
  expect(await codeOf(list({ filter: { surveyId: "?" } }))).toBe("survey_not_found");
});

test("an empty list has a cursor, by which what comes later is found", async () => {
  const { nextCursor, ...page } = await list();
  expect(page).toMatchObject({ answers: [], hasMore: false, total: 0n, totalIsExact: true });
  expect((await byCursor()).nextCursor).toBe(nextCursor);
  await give(await harness.start(), { a: 1 });
  expect((await list()).answers).toHaveLength(1);
  settle();
  expect((await byCursor({ cursor: nextCursor })).answers).toHaveLength(1);
});

test("an answer that is retracted or changed during a full scan is not returned in its former state", async () => {
  const person = await harness.start();
  await give(person, { a: 1, n: 1, c: 1 });
  harness.clock.advance(1);
  await give(await harness.start(), { c: 2 });
  settle();
  const first = await byCursor({ limit: 1 });
  await give(person, { a: null, n: 2, c: null });
  settle();
  const rest = await walk({ cursor: first.nextCursor, limit: 1 });
  expect([...first.answers, ...rest].map(({ valueJson }) => valueJson)).toEqual(["1", "2", "2"]);
  expect(rest.map(({ elementId }) => elementId)).toEqual([testId("c"), testId("n")]);
});

test("with full anonymity answers are found within their day, for any horizon", async () => {
  harness.survey.settings = { privacy: { anonymity: "full" } };
  harness.clock.set("2026-03-01T23:30:00Z");
  for (let index = 0; index < 5; index += 1) await give(await harness.start(), { n: index });
  // It is the second of March in Berlin already.
  const answers = await walk({ limit: 2 });
  expect(answers).toHaveLength(5);
  const times = answers.map(({ submittedAt }) => timestampDate(submittedAt!).toISOString());
  expect(new Set(times)).toEqual(new Set(["2026-03-02T00:00:00.000Z"]));
  expect(idsOf({ answers })).toEqual([...idsOf({ answers })].sort());
});

test("heavy answers make a page short, not heavy", async () => {
  const text = "é".repeat(50_000);
  const people = await Promise.all(Array.from({ length: 30 }, () => harness.start()));
  for (const person of people) await give(person, { a: 1 });
  await harness.pool.query("UPDATE answer_sets SET answers = answers || jsonb_build_object($1::text, $2::text)", [
    testId("c"),
    text,
  ]);
  settle();
  const { answers, hasMore } = await byCursor();
  expect(answers.length).toBeGreaterThan(30);
  expect(answers.length).toBeLessThan(50);
  expect(hasMore).toBe(true);
  const all = await walk();
  expect(new Set(idsOf({ answers: all })).size).toBe(60);
  expect(await Array.fromAsync(harness.client.streamAnswers({ filter: { surveyId } }, options()))).toSatisfy(
    (chunks: { answers: Answer[] }[]) => chunks.flatMap(idsOf).join() === idsOf({ answers: all }).join(),
  );
});

test("totals equal the current answers, for any submissions, retractions and tests", async () => {
  const value = fc.option(fc.integer({ min: 1, max: 6 }));
  const submission = fc.record({
    person: fc.nat(3),
    values: fc.record({ a: value, n: value, c: value, "liked:rome": value }, { requiredKeys: [] }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(submission, { minLength: 1, maxLength: 15 }), async (submissions) => {
      await harness.pool.query("TRUNCATE respondents, answer_sets, question_counters, survey_counters");
      const people = await Promise.all([0, 1, 2, 3].map((index) => harness.start({ live: index % 2 === 0 })));
      for (const [index, person] of people.entries())
        await give(person, { visited: [testId("rome")] }, {}, index % 2 === 0);
      for (const { person, values } of submissions) {
        await give(people[person]!, values, {}, person % 2 === 0);
        if (person === 0) harness.clock.advance(1);
      }
      settle();
      const [row] = (await harness.pool.query("SELECT count(*) AS count FROM answer_sets, jsonb_object_keys(answers)"))
        .rows;
      const page = await list();
      expect([page.total, page.totalIsExact]).toEqual([BigInt(row.count), true]);
      expect(page.answers).toHaveLength(Number(row.count));
      expect((await list({ filter: { surveyId, completed: false } })).total).toBe(page.total);
    }),
    { numRuns: 12 },
  );
});

test("a filter that leaves nearly all out gives short pages by cursor, and the same answers as by number", async () => {
  const person = await harness.start();
  await harness.pool.query(
    `INSERT INTO answer_sets (workspace_id, survey_id, respondent_id, part, submitted_at, answers)
     SELECT $1, $2, $3, 0, $4::timestamptz - interval '1 s' * n, jsonb_build_object(CASE n WHEN 1 THEN $6 ELSE $5 END, 1)
     FROM generate_series(1, 12000) AS n`,
    [workspaceId, surveyId, person, begun, testId("a"), testId("c")],
  );
  const filter = { surveyId, elementId: testId("c") };
  const [first, second] = [await byCursor({ filter }), await list({ filter })];
  expect([first.answers, first.hasMore]).toEqual([[], true]);
  expect([second.answers.length, second.total, second.totalIsExact, second.hasMore]).toEqual([1, 1n, true, false]);
  expect(idsOf({ answers: await walk({ filter }) })).toEqual(idsOf(second));
  const last = await list({ limit: 1, page: 12_000 });
  expect(idsOf(last)).toEqual(idsOf(second));
});

test("totals of filtered lists stop at a hundred thousand", async () => {
  const person = await harness.start();
  await harness.pool.query(
    `INSERT INTO answer_sets (workspace_id, survey_id, respondent_id, part, submitted_at, answers)
     SELECT $1, $2, $3, 0, $4::timestamptz - interval '1 s' * n, $5 FROM generate_series(1, 50001) AS n`,
    [workspaceId, surveyId, person, begun, { [testId("a")]: 1, [testId("c")]: 2 }],
  );
  const page = await list({ filter: { surveyId, completed: false }, page: 1000 });
  expect([page.total, page.totalIsExact, page.hasMore, page.answers.length]).toEqual([100_000n, false, true, 100]);
});
