import { newId } from "@canvass/values";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiClient, type DemoSystem, type Json } from "../src/index.ts";
import { openDatabases } from "./databases.ts";
import { blocksDuring } from "./loop-blocks.ts";
import { memoryOf } from "./process-memory.ts";
import { startTestSystem } from "./test-system.ts";

let demo: DemoSystem;
let api: ApiClient;

beforeAll(async () => {
  demo = await startTestSystem();
  ({ api } = demo);
});
afterAll(() => demo?.[Symbol.asyncDispose]());

const list = <Item>(length: number, item: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, at) => item(at));

/** The heaviest lists of questions that a request may hold. */
const heavy: [string, Json[]][] = [
  ["ratings", list(1000, (at) => ({ type: "rating", text: `Statement ${at}` }))],
  [
    "patterns",
    list(1000, (at) => ({ type: "short_text", text: `${at}`, typeSettings: { pattern: `^a{1,30}(b|c)*${at}` } })),
  ],
  [
    "choices",
    list(350, (at) => ({ type: "multiple_choice", text: `${at}`, choices: list(200, (choice) => `c${choice}`) })),
  ],
];

test.each(heavy)(
  "adding, creating, listing, publishing, answering and reporting %s blocks no event loop",
  async (_name, questions) => {
    let surveyId = "";
    const steps: Record<string, () => Promise<unknown>> = {
      create: () => api.post("/surveys", { name: "Heavy", questions }),
      add: async () => {
        surveyId = (await api.post("/surveys", { name: "Heavy" })).data.id;
        await api.post(`/surveys/${surveyId}/questions`, { questions }, { "idempotency-key": surveyId });
      },
      list: () => api.get(`/surveys/${surveyId}/elements?limit=100`),
      publish: () => api.post(`/surveys/${surveyId}/publish`, undefined, { "if-match": "*" }),
      start: () => api.post(`/response/surveys/${surveyId}/respondents`, {}),
      submit: async () => {
        const { respondentId } = (await api.post(`/response/surveys/${surveyId}/respondents`, {})).data;
        const { data: elements } = await api.get(`/surveys/${surveyId}/elements?limit=100`);
        const responses = elements.map(({ id }: { id: string }) => ({ elementId: id, value: null }));
        await api.post(`/response/surveys/${surveyId}`, { respondentId, responses });
      },
      report: () => api.get(`/response/surveys/${surveyId}/report`),
    };
    for (const [name, step] of Object.entries(steps)) {
      expect(await blocksDuring(demo.system, step), name).toEqual({});
    }
  },
);

test("many submissions of 500 answers at once block no event loop", async () => {
  const questions = list(500, (at) => ({ type: "rating", text: `Statement ${at}` }));
  const { id: surveyId } = (await api.post("/surveys", { name: "Long", questions })).data;
  await api.post(`/surveys/${surveyId}/publish`, undefined, { "if-match": "*" });
  const pages = list(5, (at) => api.get(`/surveys/${surveyId}/elements?limit=100&page=${at + 1}`));
  const elements = (await Promise.all(pages)).flatMap(({ data }) => data);
  const responses = elements.map(({ id }: { id: string }) => ({ elementId: id, value: 3 }));
  const starts = list(40, () => api.post(`/response/surveys/${surveyId}/respondents`, {}));
  const respondents = (await Promise.all(starts)).map(({ data }) => data.respondentId);
  const submit = () =>
    Promise.all(
      respondents.map((respondentId) => api.post(`/response/surveys/${surveyId}`, { respondentId, responses })),
    );
  expect(await blocksDuring(demo.system, submit)).toEqual({});
});

test("respondents of the heaviest answers are read, listed and completed in one batch, and block no event loop", async () => {
  const texts = list(70, () => ({ type: "long_text", text: "Tell", typeSettings: { maxLength: 50_000 } }));
  const matrices = list(8, () => ({
    type: "matrix",
    text: "Which?",
    rows: list(60, (row) => `Row ${row}`),
    columns: list(40, (column) => `Column ${column}`),
    typeSettings: { multiple: true },
  }));
  const settings = { collection: { editAfterSubmit: "always" } };
  const { data: survey } = await api.post("/surveys", {
    name: "Heavy answers",
    questions: [...texts, ...matrices],
    settings,
  });
  await api.post(`/surveys/${survey.id}/publish`, undefined, { "if-match": "*" });
  const { data: elements } = await api.get(`/surveys/${survey.id}/elements?limit=100&include=content`);
  const path = `/response/surveys/${survey.id}`;
  const answerTo = ({ id, rows, columns }: Json) => {
    const all = columns?.map((column: Json) => column.id);
    const value = rows ? Object.fromEntries(rows.map((row: Json) => [row.id, all])) : "x".repeat(48_000);
    return { elementId: id, value };
  };
  const responses = elements.map(answerTo);
  const { respondentId: first } = (await api.post(`${path}/respondents`, {})).data;
  for (let from = 0; from < responses.length; from += 10) {
    const part = responses.slice(from, from + 10);
    await api.post(path, { respondentId: first, responses: part, metadata: { complete: false } });
  }
  const heavy = [first, ...list(119, (at) => newId(new Date(Date.now() + at), 2 ** 20))];
  await copyRespondent(first, heavy.slice(1));
  const before = memoryOf(demo.system)["response"]!;
  const complete = { responses: [{ elementId: elements[0].id, value: "short" }], metadata: { complete: true } };
  const steps: Record<string, () => Promise<unknown>> = {
    read: async () => {
      const { data } = await api.get(`${path}/respondents/${heavy[0]}?include=answers`);
      expect(data.answers).toHaveLength(elements.length);
    },
    list: () => api.get(`${path}/respondents?include=answers`),
    batch: async () => {
      const submissions = heavy.map((respondentId) => ({ ...complete, respondentId }));
      const { data } = await api.post(`${path}/batch`, { submissions });
      expect(data.submissions.map(({ status }: Json) => status)).toEqual(heavy.map(() => "submitted"));
    },
    "saves at once": () =>
      Promise.all(heavy.slice(0, 20).map((respondentId) => api.post(path, { ...complete, respondentId }))),
    erase: () => api.call("DELETE", `${path}/respondents/${heavy[0]}`),
  };
  for (const [name, step] of Object.entries(steps)) expect(await blocksDuring(demo.system, step), name).toEqual({});
  // If the service read the whole batch at once, it would take twice as much.
  expect(memoryOf(demo.system)["response"]!.peak - before.peak).toBeLessThan(350);
});

test("the results of 1,000 answered questions are aggregated and rendered as a report, and block no event loop", async () => {
  const some: Json[] = [
    { type: "rating", text: "How was it?" },
    { type: "number", text: "How many?" },
    { type: "multiple_choice", text: "Which?", choices: list(30, (at) => `Choice ${at}`) },
    { type: "matrix", text: "How?", rows: list(4, (at) => `Row ${at}`), columns: ["Good", "Bad"] },
    { type: "nps", text: "Recommend?" },
  ];
  const questions = list(1000, (at) => some[at % some.length]!);
  const settings = { collection: { editAfterSubmit: "always" } };
  const { data: survey } = await api.post("/surveys", { name: "Long results", questions, settings });
  await api.post(`/surveys/${survey.id}/publish`, undefined, { "if-match": "*" });
  const pages = list(10, (at) => api.get(`/surveys/${survey.id}/elements?limit=100&page=${at + 1}&include=content`));
  const elements: Json[] = (await Promise.all(pages)).flatMap(({ data }) => data);
  const path = `/response/surveys/${survey.id}`;
  await Promise.all(
    list(10, async (person) => {
      const { respondentId } = (await api.post(`${path}/respondents`, {})).data;
      const responses = elements.map((element) => ({ elementId: element.id, value: answerTo(element, person) }));
      for (const half of [responses.slice(0, 500), responses.slice(500)]) {
        await api.post(path, { respondentId, responses: half, metadata: { complete: false } });
      }
    }),
  );
  const report = async () => {
    const { status, raw } = await api.call("GET", `${path}/report`);
    expect([status, raw.split("<section>").length, raw.endsWith("</html>\n")]).toEqual([200, 1002, true]);
  };
  const steps: Record<string, () => Promise<unknown>> = {
    aggregation: () => api.get(`${path}/aggregation`),
    report,
    "two reports at once": () => Promise.all([report(), report()]),
  };
  for (const [name, step] of Object.entries(steps)) expect(await blocksDuring(demo.system, step), name).toEqual({});
});

/** Copies the row and the answers of a respondent for others. */
async function copyRespondent(first: string, others: string[]): Promise<void> {
  await using databases = openDatabases(demo.system.local.databaseUrl);
  for (const table of ["respondents", "answer_sets"]) {
    const copy = `SELECT (jsonb_populate_record(t, jsonb_build_object('respondent_id', id))).*
      FROM ${table} t, unnest($1::text[]) AS id WHERE respondent_id = $2`;
    await databases.query("response", `INSERT INTO ${table} ${copy}`, [others, first]);
  }
}

function answerTo({ typeName, choices, rows, columns }: Json, person: number): unknown {
  if (typeName === "multiple_choice") return choices[(person * 7) % choices.length].id;
  if (typeName === "matrix") return Object.fromEntries(rows.map(({ id }: Json) => [id, columns[person % 2].id]));
  return 1 + (person % 5);
}

const flood = (member: (at: number) => string, count: number) => list(count, member).join(",");

test.each([
  [
    "questions full of faults",
    "/surveys",
    `{"name":"x","questions":[${flood(() => `{"type":"dropdown","text":"","choices":[${flood(() => "1", 500)}]}`, 900)}]}`,
  ],
  ["questions that are lists", "/surveys", `{"name":"x","questions":[${flood(() => "[]", 340_000)}]}`],
  ["members", "/surveys", `{${flood((at) => `"k${at}":1`, 90_000)}}`],
  ["scopes", "/tokens", `{"name":"x","scopes":[${flood(() => '"no"', 200_000)}]}`],
  ["event types", "/event-subscriptions", `{"name":"x","event_types":[${flood(() => '"no"', 200_000)}]}`],
])("a megabyte of %s is refused and blocks no event loop", async (_name, path, body) => {
  const send = async () => {
    const { status } = await api.call("POST", path, { body });
    expect([400, 422]).toContain(status);
  };
  expect(await blocksDuring(demo.system, send)).toEqual({});
});
