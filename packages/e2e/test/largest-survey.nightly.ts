import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiResponse, type ApiClient, type DemoSystem } from "../src/index.ts";
import { expectNoBlockedLoops } from "./loop-blocks.ts";
import { memoryOf } from "./process-memory.ts";
import {
  createLargestSurvey,
  countsOfAllCells,
  answerOfAllColumns,
  manyOversized,
  answerOfOptions,
  type AddedQuestion,
} from "./largest-survey.ts";
import { createWorkspace, type OtherWorkspace } from "./second-workspace.ts";
import { completion, publishSmallSurvey, startRespondent } from "./small-survey.ts";
import { startTestSystem } from "./test-system.ts";

let demo: DemoSystem;
let api: ApiClient;
let other: OtherWorkspace;

beforeAll(async () => {
  demo = await startTestSystem();
  ({ api } = demo);
  other = await createWorkspace(demo.system);
});
afterAll(async () => {
  await other?.[Symbol.asyncDispose]();
  await demo?.[Symbol.asyncDispose]();
});
expectNoBlockedLoops(() => demo.system);

/**
 * Sends requests of another workspace until `until` settles. Returns their durations, sorted, and those that failed.
 */
async function useOtherWorkspaceUntil(until: Promise<unknown>): Promise<{ times: number[]; failures: string[] }> {
  const survey = await publishSmallSurvey(other.api);
  const times: number[] = [];
  const failures: string[] = [];
  const state = { ended: false };
  until.finally(() => (state.ended = true)).catch(() => undefined);
  const timed = async (call: Promise<ApiResponse>) => {
    const begun = performance.now();
    const { status, raw } = await call;
    times.push(performance.now() - begun);
    if (status >= 400) failures.push(`${status} ${raw}`);
  };
  const path = `/response/surveys/${survey.surveyId}`;
  while (!state.ended) {
    await timed(other.api.call("GET", `/surveys/${survey.surveyId}`));
    await timed(other.api.call("GET", `/surveys/${survey.surveyId}/elements`));
    const respondentId = await startRespondent(other.api, survey);
    await timed(other.api.call("POST", path, { body: completion(survey, respondentId) }));
    await timed(other.api.call("GET", `${path}/aggregation`));
  }
  return { times: times.sort((a, b) => a - b), failures };
}

async function respond(surveyId: string, responses: { elementId: string; value: unknown }[][]): Promise<void> {
  const path = `/response/surveys/${surveyId}`;
  const { data } = await api.post(`${path}/respondents`, {});
  for (const some of responses) {
    await api.post(path, { respondentId: data.respondentId, responses: some });
  }
}

test("matrices beyond the bounds are refused, each at its place, and nothing is written", async () => {
  const answer = await api.call("POST", "/surveys", { body: manyOversized });
  expect([answer.status, answer.body.error?.code]).toEqual([422, "validation_failed"]);
  const places = Object.keys(answer.body.error!.details);
  expect(places.filter((place) => place.endsWith(".rows"))).toEqual(
    manyOversized.questions.map((_, index) => `questions.${index}.rows`),
  );
  expect((await api.get("/surveys")).data).toEqual([]);
});

test("the largest survey is listed, published, answered, aggregated and rendered as a report, and fails no other workspace's request", async ({
  annotate,
}) => {
  const before = memoryOf(demo.system);
  const work = (async () => {
    const { surveyId, matrices } = await createLargestSurvey(api);
    const one = { questions: [{ type: "matrix", text: "One more", rows: ["a"], columns: ["b"] }] };
    expect((await api.call("POST", `/surveys/${surveyId}/questions`, { body: one })).status).toBe(422);
    await expectAllListed(surveyId);
    await api.post(`/surveys/${surveyId}/publish`, {}, { "if-match": "*" });
    const empty = await api.get(`/response/surveys/${surveyId}/aggregation`);
    expect(empty.raw.length).toBeLessThan(4_000_000);
    await answerEverything(surveyId, matrices);
    return { surveyId, matrices, full: await expectFullAggregation(surveyId, matrices) };
  })();
  const [{ surveyId, matrices, full }, others] = await Promise.all([work, useOtherWorkspaceUntil(work)]);
  expect(others.failures).toEqual([]);

  const path = `/response/surveys/${surveyId}/aggregation`;
  const etag = full.headers.get("etag")!;
  expect((await api.call("GET", path, { headers: { "if-none-match": etag } })).status).toBe(304);
  const alone = await millisecondsOf(api.call("GET", path));
  const many = Promise.all(Array.from({ length: 8 }, () => api.call("GET", path)));
  const [meanwhile, together] = await Promise.all([useOtherWorkspaceUntil(many), millisecondsOf(many)]);
  for (const answer of await many) expect([answer.status, answer.raw.length]).toEqual([200, full.raw.length]);
  expect(meanwhile.failures).toEqual([]);
  await respond(surveyId, [[{ elementId: matrices[0]!.elementId, value: answerOfOptions(matrices[0]!, 0) }]]);
  expect((await api.call("GET", path, { headers: { "if-none-match": etag } })).status).toBe(200);

  const report = await api.call("GET", `/response/surveys/${surveyId}/report`);
  expect([report.status, report.raw.endsWith("</html>\n")]).toEqual([200, true]);

  const figures = {
    aggregation: { bytes: full.raw.length, ms: Math.round(alone), eightAtOnceMs: Math.round(together) },
    othersMs: [others, meanwhile].map(({ times }) => [times.length, ...[0.5, 0.99].map((q) => quantile(times, q))]),
    memory: { before, after: memoryOf(demo.system) },
  };
  await annotate(JSON.stringify(figures));
});

async function millisecondsOf(work: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work;
  return performance.now() - begun;
}

const quantile = (sorted: number[], share: number): number => Math.round(sorted[Math.floor(sorted.length * share)]!);

async function expectAllListed(surveyId: string): Promise<void> {
  const seen = new Set<string>();
  for (let page = 1; page <= 10; page++) {
    const { data, body } = await api.get(`/surveys/${surveyId}/elements?limit=100&page=${page}`);
    for (const { id } of data) seen.add(id);
    expect(body.pagination).toMatchObject({ total: 1_000, hasMore: page < 10 });
  }
  expect(seen.size).toBe(1_000);
}

/**
 * 50 respondents together choose each option of a dropdown matrix exactly once per cell; one more respondent chooses
 * every cell of the other matrices.
 */
async function answerEverything(surveyId: string, matrices: AddedQuestion[]): Promise<void> {
  const dropdowns = matrices.filter(({ typeName }) => typeName === "dropdown_matrix");
  const others = matrices.filter(({ typeName }) => typeName === "matrix");
  for (let place = 0; place < 50; place++) {
    const responses = dropdowns.map((each) => ({ elementId: each.elementId, value: answerOfOptions(each, place) }));
    await respond(surveyId, [responses]);
  }
  await respond(
    surveyId,
    others.map((each) => [{ elementId: each.elementId, value: answerOfAllColumns(each) }]),
  );
}

async function expectFullAggregation(surveyId: string, matrices: AddedQuestion[]): Promise<ApiResponse> {
  const answer = await api.get(`/response/surveys/${surveyId}/aggregation`);
  expect(answer.data.questionStats).toHaveLength(1_000);
  expect(answer.data.respondentStats).toMatchObject({ totalStarted: 51 });
  const stats = new Map(answer.data.questionStats.map((each: { elementId: string }) => [each.elementId, each]));
  for (const each of matrices) {
    const responseCount = each.typeName === "matrix" ? 1 : 50;
    expect(stats.get(each.elementId)).toMatchObject({ responseCount, distribution: countsOfAllCells(each, 1) });
  }
  return answer;
}
