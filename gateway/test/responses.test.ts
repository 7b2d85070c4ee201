import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import { AggregationSummarySchema, type StartRespondentRequest, type Submission } from "@canvass/proto/response";
import { toErrorDetail } from "@canvass/rpc";
import { expect, test } from "vitest";
import { surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

const respondentId = "respondent000000";
const startedAt = timestampFromDate(new Date("2026-01-01T00:00:00Z"));

test("a respondent is started with or without anything known about it", async () => {
  const asked: StartRespondentRequest[] = [];
  await using edge = await startEdge({
    response: {
      startRespondent: async (request) => {
        asked.push(request);
        return { respondent: { respondentId, surveyId, status: "started", versionNumber: 2, startedAt } };
      },
    },
  });
  const start = (body?: string) =>
    edge.call(`/response/surveys/${surveyId}/respondents`, { method: "POST", ...(body && { body }) });
  const { status, body } = await start();
  expect(status).toBe(201);
  expect(body.data).toEqual({
    respondentId,
    status: "started",
    versionNumber: 2,
    startedAt: "2026-01-01T00:00:00.000Z",
    orderSeed: null,
    ignored: 0,
  });
  const told = '{"contactId":"contact000000000","language":"de","metadata":{"a":[1]}}';
  await start(told);
  expect(asked).toMatchObject([
    { surveyId, bodyJson: "{}" },
    { surveyId, bodyJson: told },
  ]);
});

test("a respondent shows how far it is", async () => {
  await using edge = await startEdge({
    response: {
      getRespondent: async () => ({
        respondent: { respondentId, surveyId, status: "started", versionNumber: 2, startedAt, percentComplete: 40 },
      }),
    },
  });
  const { body } = await edge.call(`/response/surveys/${surveyId}/respondents/${respondentId}`);
  expect(body.data).toEqual(shownRespondent);
});

const shownRespondent = {
  respondentId,
  surveyId,
  status: "started",
  versionNumber: 2,
  progress: { pageId: null, percentComplete: 40 },
  startedAt: "2026-01-01T00:00:00.000Z",
  completedAt: null,
  isTest: false,
  language: null,
  distributorId: null,
  contactId: null,
  source: "collected",
  externalId: null,
  orderSeed: null,
  metadata: {},
  fields: {},
};

test("respondents are asked for by values of hidden fields", async () => {
  const asked: unknown[] = [];
  await using edge = await startEdge({
    response: {
      listRespondents: async ({ fields }) => {
        asked.push({ ...fields });
        return { respondents: [], nextCursor: "c", hasMore: false };
      },
    },
  });
  const list = (query: string) => edge.call(`/response/surveys/${surveyId}/respondents?${query}`);
  expect((await list("field.customer=12&field.constructor=a%20b&limit=5")).status).toBe(200);
  expect(asked).toEqual([{ customer: "12", constructor: "a b" }]);
  for (const wrong of ["field.=1", "field.1a=1", "field.__proto__=1", "field=1", `field.a=${"x".repeat(1_001)}`]) {
    expect((await list(wrong)).status).toBe(422);
  }
  expect((await list("field.a=1&field.a=2")).status).toBe(422);
});

test("submissions of one turn are sent together unchanged; an invalid one does not affect others", async () => {
  const batches: Submission[][] = [];
  await using edge = await startEdge({
    response: {
      batchSubmitAnswers: async ({ submissions }) => {
        batches.push(submissions);
        return {
          results: submissions.map(({ bodyJson }) => {
            const { n } = JSON.parse(bodyJson) as { n: number };
            if (n % 2 === 1)
              return { outcome: { case: "error", value: toErrorDetail(new AppError("respondent_not_found")) } };
            const answers = [{ answerId: `a${n}`, elementId: "e", submittedAt: startedAt }];
            return { outcome: { case: "submitted", value: { respondentId, respondentStatus: "completed", answers } } };
          }),
        };
      },
    },
  });
  await edge.call("/errors");
  const bodies = Array.from({ length: 30 }, (_, n) => `{"n": ${n}, "x": [1.0e0]}`);
  const answers = await Promise.all(
    bodies.map((body) => edge.call(`/response/surveys/${surveyId}`, { method: "POST", body })),
  );
  answers.forEach(({ status, body }, n) => {
    if (n % 2 === 1) expect([status, body.error.code]).toEqual([404, "respondent_not_found"]);
    else {
      expect(status).toBe(200);
      expect(body.data).toEqual({
        respondentId,
        respondentStatus: "completed",
        responses: [{ id: `a${n}`, elementId: "e", status: "submitted", submittedAt: "2026-01-01T00:00:00.000Z" }],
      });
    }
  });
  expect(batches.length).toBeLessThan(30);
  const submissions = batches.flat();
  expect(submissions.map(({ bodyJson }) => bodyJson).sort()).toEqual([...bodies].sort());
  expect(submissions.every((each) => each.surveyId === surveyId && each.caller.includes("."))).toBe(true);
});

test("aggregation has its documented form, and is a 304 when nothing changed", async () => {
  const summary = create(AggregationSummarySchema, {
    totalStarted: 3n,
    totalCompleted: 1n,
    completionTrend: [{ date: "2026-01-01", completions: 1n }],
    contentHash: "0123456789abcdef0123",
  });
  const chunks = [
    [
      {
        questionId: "q1",
        elementId: "e1",
        typeName: "rating",
        responseCount: 3n,
        uniqueRespondents: 2n,
        distributionJson: '{"mean":4.5}',
      },
    ],
    [],
    [{ questionId: "q2", typeName: "long_text" }],
  ];
  const asked: boolean[] = [];
  await using edge = await startEdge({
    response: {
      async *streamAggregation({ includeOffPath }) {
        asked.push(includeOffPath);
        yield { summary };
        for (const questionStats of chunks) yield { questionStats };
      },
    },
  });
  const path = `/response/surveys/${surveyId}/aggregation`;
  const withOffPath = await edge.call(`${path}?includeOffPath=true`);
  expect([withOffPath.body.data.includesOffPath, asked.pop()]).toEqual([true, true]);
  expect(await edge.call(`${path}?includeOffPath=maybe`)).toMatchObject({
    status: 422,
    body: { error: { details: { includeOffPath: expect.anything() } } },
  });
  const { body, headers } = await edge.call(path);
  expect(body.data).toEqual({
    surveyId,
    basis: "counters",
    respondentCount: 3,
    shares: "answered",
    respondents: "started",
    includesOffPath: false,
    questionStats: [
      {
        questionId: "q1",
        elementId: "e1",
        typeName: "rating",
        responseCount: 3,
        uniqueRespondents: 2,
        distribution: { mean: 4.5 },
      },
      {
        questionId: "q2",
        elementId: null,
        typeName: "long_text",
        responseCount: 0,
        uniqueRespondents: 0,
        distribution: {},
      },
    ],
    respondentStats: { totalStarted: 3, totalCompleted: 1, completionRate: 33.33, avgCompletionTime: null },
    completionTrend: [{ date: "2026-01-01", completions: 1 }],
  });
  const etag = headers.get("etag")!;
  const call = () => edge.call(path, { headers: { "if-none-match": etag } });
  expect((await call()).status).toBe(304);
  summary.totalCompleted = 2n;
  summary.averageCompletionSeconds = 61.5;
  summary.contentHash = "1123456789abcdef0123";
  const changed = await call();
  expect(changed.status).toBe(200);
  expect(changed.headers.get("etag")).not.toBe(etag);
  expect(changed.body.data.respondentStats).toMatchObject({ completionRate: 66.67, avgCompletionTime: 61.5 });
});

test("filters of the aggregation go along as they were given, and the answer names its basis", async () => {
  const asked: object[] = [];
  await using edge = await startEdge({
    response: {
      async *streamAggregation(request) {
        asked.push(request);
        yield { summary: create(AggregationSummarySchema, { totalStarted: 2n, isComputed: true }) };
      },
    },
  });
  const path = `/response/surveys/${surveyId}/aggregation`;
  const where = '{"language":true,"operator":"answered"}';
  const query = new URLSearchParams({ completed: "false", language: "de", "field.a": "1", where, bins: "7" });
  const { body } = await edge.call(`${path}?${query.toString()}`);
  expect(body.data).toMatchObject({ basis: "answers", respondentCount: 2 });
  const filter = { completed: false, language: "de", fields: { a: "1" }, whereJson: where };
  expect(asked).toMatchObject([{ surveyId, bins: 7, filter }]);
  await edge.call(path);
  expect(asked[1]).not.toHaveProperty("filter");
  const wrong = await edge.call(`${path}?bins=1&from=yesterday&versionNumber=0&distributorId=x&field.=1`);
  expect(wrong.status).toBe(422);
  expect(Object.keys(wrong.body.error.details)).toEqual(expect.arrayContaining(["bins", "from", "versionNumber"]));
});

test("a batch returns the result of each submission", async () => {
  const error = toErrorDetail(new AppError("validation_failed", { "responses.0.value": ["is required"] }));
  const asked: string[] = [];
  await using edge = await startEdge({
    response: {
      submitBatch: async ({ bodyJson }) => {
        asked.push(bodyJson);
        return {
          submissions: [
            { respondentId, ignored: 2 },
            { error },
            { respondentId, error: toErrorDetail(new AppError("service_unavailable")) },
          ],
        };
      },
    },
  });
  const sent = '{ "submissions": [{}, 1] }';
  const { status, body } = await edge.call(`/response/surveys/${surveyId}/batch`, { method: "POST", body: sent });
  expect([status, asked]).toEqual([200, [sent]]);
  expect(body.data.submissions).toEqual([
    { index: 0, respondentId, status: "submitted", ignored: 2, error: null },
    {
      index: 1,
      respondentId: null,
      status: "failed",
      error: {
        code: "validation_failed",
        message: expect.any(String),
        suggestion: expect.any(String),
        retryable: false,
        details: { "responses.0.value": ["is required"] },
      },
    },
    { index: 2, respondentId, status: "failed", error: expect.objectContaining({ retryable: true, details: {} }) },
  ]);
});
