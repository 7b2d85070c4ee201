import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiClient, type DemoSystem, type Json } from "../src/index.ts";
import { holdsDuring } from "./loop-holds.ts";
import { startTestSystem } from "./test-system.ts";

let demo: DemoSystem;
let api: ApiClient;

beforeAll(async () => {
  demo = await startTestSystem();
  ({ api } = demo);
}, 120_000);
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
  "adding, creating, listing, publishing and answering %s holds no event loop",
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
    };
    for (const [name, step] of Object.entries(steps)) {
      expect(await holdsDuring(demo.system, step), name).toEqual({});
    }
  },
);

test("many submissions of 500 answers at once hold no event loop", async () => {
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
  expect(await holdsDuring(demo.system, submit)).toEqual({});
});

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
])("a megabyte of %s is refused and holds no event loop", async (_name, path, body) => {
  const send = async () => {
    const { status } = await api.call("POST", path, { body });
    expect([400, 422]).toContain(status);
  };
  expect(await holdsDuring(demo.system, send)).toEqual({});
});
