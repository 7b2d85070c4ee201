import { AppError } from "@canvass/errors";
import { toErrorDetail } from "@canvass/rpc";
import { expect, test } from "vitest";
import { someSurvey, surveyId, type FakeServices } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

const withSurvey: FakeServices = {
  survey: {
    batchGetSurveys: async ({ surveys }) => ({
      results: surveys.map(() => ({ outcome: { case: "survey" as const, value: someSurvey() } })),
    }),
  },
};

test("a success is an envelope whose request id and etag are those of the headers", async () => {
  const now = new Date("2026-03-01T10:00:00.123Z");
  await using edge = await startEdge(withSurvey, { now: () => now });
  const { status, headers, body } = await edge.call(`/surveys/${surveyId}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    data: {
      id: surveyId,
      name: 'Big "five"',
      description: "",
      language: "en",
      type: 1,
      active: 1,
      ownerAccountId: "person0000000000",
      publishedVersion: 2,
      hasUnpublishedChanges: false,
      questionCount: 28,
      responseCount: 2800,
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-02T00:00:00.000Z",
      settings: { display: { progressStyle: "bar" } },
    },
    meta: {
      timestamp: "2026-03-01T10:00:00.123Z",
      version: "1.0",
      requestId: headers.get("x-request-id"),
      etag: '"0123456789abcdef"',
    },
  });
  expect(headers.get("etag")).toBe('"0123456789abcdef"');
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test("a survey that was never published has no version", async () => {
  await using edge = await startEdge({
    survey: {
      batchGetSurveys: async () => ({
        results: [{ outcome: { case: "survey", value: someSurvey({ publishedVersion: 0, active: false }) } }],
      }),
    },
  });
  const { body } = await edge.call(`/surveys/${surveyId}`);
  expect(body.data).toMatchObject({ publishedVersion: null, active: 0 });
});

test.each([
  ["mine-42", true],
  ["!\"#$%&'()~", true],
  ["0123456789abcdef".repeat(8), true],
  ["0123456789abcdef".repeat(8) + "0", false],
  ["two words", false],
  ["ümlaut", false],
])("the caller's own request id is kept when it is well-formed: %j", async (requestId, kept) => {
  await using edge = await startEdge();
  const latin1 = Buffer.from(requestId).toString("latin1");
  const { headers, body } = await edge.call("/nothing", { headers: { "x-request-id": latin1 } });
  expect(headers.get("x-request-id") === requestId).toBe(kept);
  expect(body.meta.requestId).toBe(headers.get("x-request-id"));
});

test("If-None-Match compares weakly and saves the body", async () => {
  await using edge = await startEdge(withSurvey);
  for (const tag of ['"0123456789abcdef"', 'W/"0123456789abcdef"', '"other", "0123456789abcdef"', "*"]) {
    const answer = await edge.call(`/surveys/${surveyId}`, { headers: { "if-none-match": tag } });
    expect(answer).toMatchObject({ status: 304, text: "" });
    expect(answer.headers.get("etag")).toBe('"0123456789abcdef"');
    expect(answer.headers.get("ratelimit")).not.toBeNull();
  }
  const { status } = await edge.call(`/surveys/${surveyId}`, { headers: { "if-none-match": '"0123456789abcde"' } });
  expect(status).toBe(200);
});

test("HEAD answers as GET without its body", async () => {
  await using edge = await startEdge(withSurvey);
  const get = await edge.call(`/surveys/${surveyId}`);
  const head = await edge.call(`/surveys/${surveyId}`, { method: "HEAD" });
  expect(head).toMatchObject({ status: 200, text: "" });
  expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
  expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
});

test("a service's error is passed on; a defect is hidden", async () => {
  const thrown: Record<string, () => never> = {
    quota00000000000: () => {
      throw new AppError("quota_exceeded", { limit: 10, requested: 12, required_plan: "starter" }, "Too many.");
    },
    defect0000000000: () => {
      throw new TypeError("password of the database: hunter2");
    },
    stranger00000000: () => {
      throw new AppError("unauthorized");
    },
  };
  await using edge = await startEdge({ survey: { addQuestions: async ({ surveyId }) => thrown[surveyId]!() } });
  const add = (id: string) => edge.call(`/surveys/${id}/questions`, { method: "POST", body: "{}" });
  expect(await add("quota00000000000")).toMatchObject({
    status: 403,
    body: { error: { code: "quota_exceeded", message: "Too many.", details: { limit: 10 } } },
  });
  for (const id of ["defect0000000000", "stranger00000000"]) {
    const { status, body, text } = await add(id);
    expect(status).toBe(500);
    expect(body.error).toMatchObject({ code: "internal_error", retryable: true, details: {} });
    expect(text).not.toMatch(/hunter2|TypeError|stack/);
  }
});

test("an item of a batch fails alone", async () => {
  const found = (id: string) => ({ outcome: { case: "survey" as const, value: someSurvey({ surveyId: id }) } });
  const absent = () => ({
    outcome: { case: "error" as const, value: toErrorDetail(new AppError("survey_not_found")) },
  });
  await using edge = await startEdge({
    survey: {
      batchGetSurveys: async ({ surveys }) => ({
        results: surveys.map(({ surveyId: id }) => (id.startsWith("absent") ? absent() : found(id))),
      }),
    },
  });
  const answers = await Promise.all(
    ["survey0000000001", "absent0000000000", "survey0000000002"].map((id) => edge.call(`/surveys/${id}`)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200]);
  expect(answers.map(({ body }) => body.data?.id)).toEqual(["survey0000000001", undefined, "survey0000000002"]);
});

test("a service that is down is a retryable 503, one that is too slow a 504", async () => {
  await using edge = await startEdge(
    {
      survey: { batchGetSurveys: () => new Promise(() => undefined), listSurveys: () => new Promise(() => undefined) },
    },
    { config: { CANVASS_REQUEST_TIMEOUT_MS: 1000 } },
  );
  for (const path of ["/surveys", `/surveys/${surveyId}`]) {
    const slow = await edge.call(path);
    expect(slow.status).toBe(504);
    expect(slow.body.error).toMatchObject({ code: "deadline_exceeded", retryable: true });
  }
  await edge.services.stop("survey");
  for (const path of ["/surveys", `/surveys/${surveyId}`]) {
    const down = await edge.call(path);
    expect(down.status).toBe(503);
    expect(down.headers.get("retry-after")).toBe("1");
    expect(down.body.error).toMatchObject({ code: "service_unavailable", retryable: true });
  }
});

test("a service that refuses the gateway's key is a 500", async () => {
  await using edge = await startEdge(withSurvey, { config: { CANVASS_PEER_KEY: "x".repeat(40) } });
  const { status, body } = await edge.call(`/surveys/${surveyId}`);
  expect(status).toBe(500);
  expect(body.error.code).toBe("internal_error");
});
