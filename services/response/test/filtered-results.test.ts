import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { inTransaction } from "@canvass/postgres";
import {
  buildQuestions,
  sampleRespondent,
  variablesOf,
  type HiddenField,
  type SurveyDefinition,
} from "@canvass/questions";
import { callOptions } from "@canvass/rpc";
import { refusal } from "@canvass/service/testing";
import * as fc from "fast-check";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { matchingRespondents, type MatchingRespondents } from "../src/application/computations/matching-respondents.ts";
import { createAnswerScanner } from "../src/domain/results/answer-scanner.ts";
import type { ResultFilter } from "../src/domain/results/result-filter.ts";
import { factsOf, type AxisInput, type ValueSource } from "../src/domain/results/tables/axis-input.ts";
import { computeSeries } from "../src/domain/results/tables/series.ts";
import { tabulate } from "../src/domain/results/tables/tabulate.ts";
import { definitionOf, readAggregation, startHarness, surveyId, testId, workspaceId } from "./harness.ts";
import { publishNext } from "./survey-double.ts";

type Filter = NonNullable<Parameters<typeof readAggregation>[2]>["filter"];

const choices = ["Red", "Green", "Blue"];
const rows = ["Taste", "Smell"];
/** Questions of most types that take answers without files. The first two decide the path. */
const inputs = [
  { type: "multiple_choice", text: "Colours", name: "colours", choices, multipleAnswers: true },
  { type: "yes_no", text: "More?", name: "more" },
  { type: "short_text", text: "Why?" },
  { type: "rating", text: "How much?", name: "much" },
  { type: "number", text: "Age", name: "age" },
  { type: "dropdown", text: "Town", choices },
  { type: "nps", text: "Recommend?", subject: "us" },
  { type: "slider", text: "Slide", typeSettings: { min: -5, max: 5, step: 0.5 } },
  { type: "date_time", text: "When", typeSettings: { mode: "date" } },
  { type: "matrix", text: "Grid", rows, columns: ["Bad", "Good"] },
  { type: "dropdown_matrix", text: "Lists", rows, columns: [{ text: "When", options: ["Now", "Later"] }] },
  { type: "ranking", text: "Order", choices },
  { type: "constant_sum", text: "Share", choices },
  { type: "consent", text: "Terms" },
  { type: "form", text: "Flat", rows: ["Street", { text: "Rooms", format: "number" }] },
];
const fields: HiddenField[] = [
  { name: "customer", type: "number", allowAnonymous: true },
  { name: "source", type: "text", default: "direct", allowAnonymous: true },
];

let nextId = 0;
/** Pages of the first two inputs and of others. The second page repeats for each colour, and `more` may skip it. */
function surveyOf(others: readonly number[]): SurveyDefinition {
  const given = [0, 1, ...others.map((at) => at + 2)].map((at) => inputs[at]!);
  const built = buildQuestions(given, () => `made${String(++nextId).padStart(12, "0")}`);
  if ("violations" in built) throw new Error(JSON.stringify(built.violations));
  const [colours, more, ...rest] = built.questions.map(({ question }) => question);
  const pages = definitionOf(
    [[colours!, more!], rest.slice(0, 2), rest.slice(2)].filter((page) => page.length > 0),
  ).pages;
  const when = { elementId: more!.elementId, operator: "equals" as const, value: false };
  return {
    fields,
    pages: pages.map((page, at) => ({
      ...page,
      loop: at === 1 ? { elementId: colours!.elementId } : null,
      skipLogic: at === 0 && pages.length > 2 ? [{ when, goTo: pages[2]!.pageId }] : [],
    })),
  };
}

const harness = await sharedByFile(startHarness([[]]));
beforeEach(async () => {
  harness.survey.settings = {};
  harness.clock.set(new Date("2026-03-01T12:00:00Z"));
  await forget();
});

const forget = () =>
  harness.pool.query(`TRUNCATE respondents, answer_sets, survey_counters, question_counters, bucket_counters,
    number_counters, completion_slots, known_questions`);
const options = () => callOptions({ signedCaller: harness.signed() });
const results = (filter?: Filter, includeOffPath = false) =>
  readAggregation(harness.client, options(), { includeOffPath, ...(filter && { filter }) });

interface Person {
  values: Record<string, unknown>;
  fields?: Record<string, unknown>;
  language?: string;
  completes?: boolean;
  live?: boolean;
}

async function answer({ values, fields: given = {}, language, completes = false, live = true }: Person) {
  const signedCaller = harness.signed({ live });
  const bodyJson = JSON.stringify({ fields: given, ...(language && { metadata: { language } }) });
  const { respondent } = await harness.client.startRespondent({ surveyId, bodyJson }, callOptions({ signedCaller }));
  const { respondentId } = respondent!;
  harness.clock.advance(1_000);
  const responses = Object.entries(values).map(([elementId, value]) => ({ elementId, value }));
  const metadata = { complete: completes, ...(language && { language }) };
  const outcome = await harness.submit({ respondentId, responses, metadata }, { caller: signedCaller });
  expect(outcome).toEqual(expect.objectContaining({ code: "submitted" }));
  return respondentId;
}

const everybody = { from: timestampFromDate(new Date(0)) };
/** The figures of results, without what tells how they were computed. */
function figures(read: Awaited<ReturnType<typeof results>>) {
  const { isComputed: _, chunks: __, contentHash: ___, filterWords: ____, ...shown } = read;
  return shown;
}

const some: ResultFilter = {
  fields: { source: "direct" },
  where: {
    any: [
      { field: "customer", operator: "equals", value: 1 },
      { language: true, operator: "equals", value: "de" },
    ],
  },
};
const mostTables = 4;

/** Functions that count by a question: respondents that are alike together, or each alone. */
function tablesOf(definition: SurveyDefinition) {
  const [colour] = definition.pages[0]!.elements[0]!.choices!.map(({ id }) => id);
  return definition.pages.flatMap(({ elements, loop }) =>
    elements.flatMap((question) => {
      const [variable] = variablesOf(question);
      if (!variable) return [];
      const place = variable.place.map(({ id }) => id);
      const source: ValueSource = { elementId: question.elementId, itemId: loop ? colour! : null, place };
      const rows: AxisInput = { source, categories: variable.categories, path: "rows" };
      const columns: AxisInput = { source: { field: "customer" }, categories: [], path: "columns" };
      return async (filter: ResultFilter, how: "alike" | "alone") => {
        const wanted = { ...factsOf([source, columns.source]), startedAt: true };
        const query = {
          workspaceId,
          surveyId,
          filter,
          timeZone: "Europe/Berlin",
          wanted,
          allAnswers: how === "alone",
          includeOffPath: false,
        };
        const compute = <Result>(over: (found: AsyncGenerator<MatchingRespondents[]>) => Promise<Result>) =>
          inTransaction(harness.pool, (sql) => over(matchingRespondents(sql, query, definitionOfVersion)));
        const categories = variable.categories.slice(0, 1).map(({ id }) => id);
        const over = { source, by: "day", measure: "share", timeZone: "Asia/Kathmandu", categories } as const;
        return [
          await compute((found) => tabulate(found, { rows, columns, isMultiple: true, weights: [] })),
          await compute((found) => computeSeries(found, over)),
        ];
      };
    }),
  );
}

function definitionOfVersion(versionId: string): Promise<SurveyDefinition> {
  const [, definition] = [...harness.survey.versions].find(([number]) => testId(`version${number}`) === versionId)!;
  return Promise.resolve(definition);
}

const person = fc.record({
  tape: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 5, maxLength: 40 }),
  customer: fc.nat(2),
  language: fc.constantFrom("de", "de-AT", "en"),
  live: fc.nat(7).map((one) => one > 0),
});
const survey = fc.record({
  others: fc.uniqueArray(fc.nat(inputs.length - 3), { minLength: 1, maxLength: 6 }),
  people: fc.array(person, { maxLength: 6 }),
});

test("a filter that matches everybody gives what the counters hold, and a condition and its opposite share it out", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(survey, { minLength: 1, maxLength: 2 }), async (surveys) => {
      await forget();
      for (const { others, people } of surveys) {
        const definition = surveyOf(others);
        publishNext(harness.survey, definition);
        for (const { tape, customer, language, live } of people) {
          let at = 0;
          const sample = sampleRespondent(definition, () => tape[at++ % tape.length]!);
          const values = Object.fromEntries(sample.answers);
          await answer({ values, fields: { customer }, language, live, completes: sample.completes });
        }
      }
      for (const includeOffPath of [false, true]) {
        const counted = figures(await results(undefined, includeOffPath));
        const computed = await results(everybody, includeOffPath);
        expect(computed.isComputed).toBe(true);
        expect(figures(computed)).toEqual(counted);
        const where = { name: "more", operator: "equals", value: true };
        const parts = await Promise.all(
          [where, { not: where }].map((each) => results({ whereJson: JSON.stringify(each) }, includeOffPath)),
        );
        const sum = (of: (part: (typeof parts)[0]) => bigint) => parts.reduce((total, part) => total + of(part), 0n);
        expect(sum(({ totalStarted }) => totalStarted)).toBe(counted.totalStarted);
        for (const [index, { uniqueRespondents, responseCount }] of counted.questionStats.entries()) {
          expect(sum(({ questionStats }) => questionStats[index]!.responseCount)).toBe(responseCount);
          expect(sum(({ questionStats }) => questionStats[index]!.uniqueRespondents)).toBe(uniqueRespondents);
        }
      }
      const tables = tablesOf(harness.survey.versions.get(harness.survey.versionNumber)!).slice(-mostTables);
      for (const table of tables) expect(await table(some, "alike")).toEqual(await table(some, "alone"));
    }),
    { numRuns: 5 },
  );
});

test("each filter selects, alone and together, and tests never count", async () => {
  const definition = surveyOf([2]);
  publishNext(harness.survey, definition);
  const [colours, more, age] = definition.pages.flatMap(({ elements }) => elements).map(({ elementId }) => elementId);
  const [red, green] = definition.pages[0]!.elements[0]!.choices!.map(({ id }) => id);
  const start = harness.clock.now();
  await answer({ values: { [colours!]: [red], [more!]: true }, fields: { customer: 1 }, language: "de-AT" });
  harness.clock.advance(3_600_000);
  const values = { [colours!]: [green], [more!]: true, [`${age!}:${green!}`]: 40 };
  await answer({ values, fields: { customer: 2, source: "mail" }, completes: true });
  await answer({ values: { [more!]: true }, live: false });
  const startedOf = async (filter: Filter) => Number((await results(filter)).totalStarted);
  const later = timestampFromDate(new Date(start.getTime() + 60_000));
  const where = (condition: object) => ({ whereJson: JSON.stringify(condition) });
  const counts = Object.entries<Filter>({
    "2 all": {},
    "1 completed": { completed: true },
    "1 not completed": { completed: false },
    "1 from": { from: later },
    "1 to": { to: later },
    "1 language": { language: "de" },
    "0 language": { language: "fr" },
    "1 number": { fields: { customer: "2" } },
    "1 text": { fields: { source: "mail" } },
    "0 both": { fields: { source: "mail", customer: "1" } },
    "2 version": { versionNumber: harness.survey.versionNumber },
    "0 distributor": { distributorId: testId("d") },
    "1 choice": where({ elementId: colours, operator: "contains", value: red }),
    "1 by name and text": where({ name: "colours", operator: "contains", value: "Green" }),
    "1 repeated": where({ elementId: age, operator: "answered" }),
    "0 repeated": where({ elementId: age, operator: "greater_than", value: 40 }),
    "1 field": where({ field: "customer", operator: "at_least", value: 2 }),
    "1 together": { completed: true, ...where({ any: [{ field: "customer", operator: "equals", value: 2 }] }) },
  });
  const found = [];
  for (const [name, filter] of counts) found.push(`${await startedOf(filter)} ${name.split(" ").slice(1).join(" ")}`);
  expect(found).toEqual(counts.map(([name]) => name));
  expect((await results({})).isComputed).toBe(false);
});

test("histograms have the requested number of bars, and a filter is described in words", async () => {
  const definition = surveyOf([2]);
  publishNext(harness.survey, definition);
  const { elementId, questionId } = definition.pages[1]!.elements[0]!;
  const [red] = definition.pages[0]!.elements[0]!.choices!.map(({ id }) => id);
  const values = (age: number) => ({ [`${elementId}:${red!}`]: age });
  for (const age of [18, 19, 25, 40]) await answer({ values: values(age), fields: { customer: age } });
  const whereJson = JSON.stringify({ name: "age", operator: "at_least", value: 19 });
  const filter = { fields: { customer: "19" }, completed: false, whereJson };
  const request = { surveyId, bins: 5 };
  const read = await Array.fromAsync(harness.client.streamAggregation(request, options()));
  const stats = read.flatMap(({ questionStats }) => questionStats).find((each) => each.questionId === questionId);
  const { histogram } = JSON.parse(stats!.distributionJson) as { histogram: object[] };
  expect(histogram).toEqual([
    { from: 10, to: 20, count: 2 },
    { from: 20, to: 30, count: 1 },
    { from: 30, to: 40, count: 0 },
    { from: 40, to: 50, count: 1 },
  ]);
  expect((await results(filter)).filterWords).toEqual([
    "who have not completed",
    "whose field customer is “19”",
    "for whom holds: “Age” is at least 19",
  ]);
});

test("wrong filters list every violation at its place, and nothing is computed", async () => {
  const definition = surveyOf([]);
  publishNext(harness.survey, definition);
  const at = (day: string) => timestampFromDate(new Date(day));
  const deep = { not: { not: { not: { not: { not: { field: "source", operator: "answered" } } } } } };
  const codes = async (filter: Filter) => (await refusal(results(filter))).details;
  expect(
    await codes({
      from: at("2026-02-01"),
      to: at("2026-01-01"),
      distributorId: "me",
      language: "Deutsch!",
      versionNumber: 9_999,
      fields: { nobody: "1" },
      whereJson: JSON.stringify({
        all: [
          { name: "nothing", operator: "answered" },
          { elementId: testId("gone"), operator: "answered" },
          { field: "none", operator: "answered" },
        ],
      }),
    }),
  ).toEqual({
    to: ["must be after from"],
    distributorId: [expect.any(String)],
    versionNumber: [expect.any(String)],
    "field.nobody": ["must name a hidden field of the survey"],
    language: [expect.any(String)],
    "where.all.0.name": [expect.any(String)],
    "where.all.1.elementId": [expect.any(String)],
    "where.all.2.field": [expect.any(String)],
  });
  expect(await codes({ whereJson: "{" })).toEqual({ where: ["must be JSON"] });
  expect(await codes({ whereJson: JSON.stringify(deep) })).toMatchObject({
    "where.not.not.not.not": [expect.any(String)],
  });
});

test("a filter that leaves few people with full anonymity is refused, unless it is by completion alone", async () => {
  harness.survey.settings = { privacy: { anonymity: "full" } };
  publishNext(harness.survey, surveyOf([]));
  for (let customer = 0; customer < 5; customer += 1)
    await answer({ values: {}, fields: { customer, source: "mail" } });
  expect(await refusal(results({ fields: { customer: "3" } }))).toMatchObject({ code: "validation_failed" });
  expect((await results({ fields: { source: "mail" } })).totalStarted).toBe(5n);
  expect((await results({ fields: { customer: "77" } })).totalStarted).toBe(0n);
  expect((await results({ completed: false })).totalStarted).toBe(5n);
});

test("any answers in any order are read from jsonb as PostgreSQL writes it", async () => {
  const value = fc
    .jsonValue({ maxDepth: 2, stringUnit: "grapheme" })
    .filter((each) => !JSON.stringify(each).includes("\\u0000"))
    // JSON knows no negative zero.
    .map((each): unknown => JSON.parse(JSON.stringify(each)));
  const text = fc.constantFrom('"', "\\", ', "a": 1', "}", '\\"}, {', "ä", "");
  const set = fc.dictionary(fc.constantFrom("a", "b", "a:x", "longer"), fc.oneof(value, text, fc.array(text)));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(set, { maxLength: 3 }), { maxLength: 4 }), async (rows) => {
      const scanner = createAnswerScanner((key) => key);
      for (const sets of rows) {
        const { rows: written } = await harness.pool.query<{ text: string }>(
          "SELECT coalesce(string_agg(each::text, ','), '') AS text FROM unnest($1::jsonb[]) AS each",
          [sets.map((each) => JSON.stringify(each))],
        );
        const read: [string, unknown][] = [];
        scanner.scan(written[0]!.text, (key, json) => read.push([key, JSON.parse(json)]));
        expect(read.map(([key]) => key).sort()).toEqual(sets.flatMap((each) => Object.keys(each)).sort());
        expect(read).toEqual(expect.arrayContaining(sets.flatMap((each) => Object.entries(each))));
      }
    }),
    { numRuns: 50 },
  );
});
