import { describe, expect, test, vi } from "vitest";
import { CanvassError, createCanvass } from "../src/index.ts";
import { retryingFetch } from "../src/connection/retrying-fetch.ts";
import { failureOf, refuse, serve, succeed } from "./serve.ts";

const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  ) as Promise<CanvassError>;
const retryable = { retryable: true };
const survey = { name: "Lunch" };

test("a write is repeated with one key and one body while the answer says retryable", async () => {
  await using server = await serve((response, _seen, number) => {
    if (number < 3) refuse(response, 503, "service_unavailable", { ...retryable, "retry-after": "0" });
    else succeed(response, { id: "s1", name: "Lunch" }, '"e"');
  });
  const made = await server.canvass.surveys.create(survey);
  expect(made).toMatchObject({ id: "s1", etag: '"e"' });
  expect(server.seen.map(({ body }) => body)).toEqual(Array(3).fill(JSON.stringify(survey)));
  const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
});

test("each write has its own key; a caller's key is sent, also by the generated class", async () => {
  await using server = await serve((response) => succeed(response, {}, '"e"'));
  const { surveys, api } = server.canvass;
  await surveys.create(survey);
  await surveys.create(survey);
  await surveys.create(survey, { idempotencyKey: "mine" });
  await api.createSurvey({ body: survey, headers: { "Idempotency-Key": "theirs" } });
  const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
  expect(new Set(keys).size).toBe(4);
  expect(keys.slice(2)).toEqual(["mine", "theirs"]);
});

test("Retry-After is heeded", async () => {
  const times: number[] = [];
  await using server = await serve((response, _seen, number) => {
    times.push(performance.now());
    if (number === 1) refuse(response, 429, "rate_limited", { ...retryable, "retry-after": "1" });
    else succeed(response, { id: "s1" }, '"e"');
  });
  await server.canvass.surveys.get("s1");
  expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(990);
});

test("an error that is not retryable comes at once, with its details, typed by code", async () => {
  const details = { "questions.0.text": ["is required"] };
  await using server = await serve((response) => {
    response.writeHead(422, { "content-type": "application/json" });
    response.end(JSON.stringify(failureOf("validation_failed", false, details)));
  });
  const error = await caught(server.canvass.surveys.create(survey));
  expect(server.seen).toHaveLength(1);
  expect(error).toBeInstanceOf(CanvassError);
  expect(error).toMatchObject({ name: "CanvassError", status: 422, requestId: "r-1", retryable: false });
  if (error.code !== "validation_failed") throw error;
  const sentences: string[] | undefined = error.details["questions.0.text"];
  expect(sentences).toEqual(["is required"]);
});

describe("a write without key", () => {
  const subscription = { name: "Hook", url: "https://example.com/hook" };

  test.each([
    ["503", (status: number) => status],
    ["a cut connection", () => 0],
  ])("is not repeated after %s", async (_what, statusOf) => {
    await using server = await serve((response) => {
      if (statusOf(503)) refuse(response, 503, "service_unavailable", retryable);
      else response.socket!.destroy();
    });
    const error = await caught(server.canvass.webhooks.create(subscription));
    expect(error.code).toBe(statusOf(503) ? "service_unavailable" : "connection_failed");
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]!.headers).not.toHaveProperty("idempotency-key");
  });

  test("is repeated after 429, which says that nothing was done", async () => {
    await using server = await serve((response, _seen, number) => {
      if (number === 1) refuse(response, 429, "rate_limited", { ...retryable, "retry-after": "0" });
      else succeed(response, { id: "w1" });
    });
    expect(await server.canvass.webhooks.create(subscription)).toEqual({ id: "w1" });
  });
});

test.each([
  ["is cut before a response", 0],
  ["is cut within the body", 25],
])("a keyed write is repeated when its connection %s", async (_what, sent) => {
  await using server = await serve((response, _seen, number) => {
    if (number > 2) return succeed(response, { id: "s1" }, '"e"');
    if (sent === 0) return void response.socket!.destroy();
    response.writeHead(200, { "content-type": "application/json", "content-length": "200" });
    response.write('{"success":true,"data":{}'.slice(0, sent), () => response.socket!.destroy());
  });
  expect(await server.canvass.surveys.create(survey)).toMatchObject({ id: "s1" });
  expect(new Set(server.seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
});

test("retries end after the limit, with the last error", async () => {
  await using server = await serve(
    (response) => refuse(response, 503, "service_unavailable", { ...retryable, "retry-after": "0" }),
    { retries: 2 },
  );
  expect((await caught(server.canvass.surveys.get("s1"))).code).toBe("service_unavailable");
  expect(server.seen).toHaveLength(3);
});

test("responses of a proxy are retried, and reported as not from the API", async () => {
  await using server = await serve((response) => response.writeHead(502).end("<h1>Bad gateway</h1>"), { retries: 1 });
  expect(await caught(server.canvass.surveys.get("s1"))).toMatchObject({ code: "unexpected_response", status: 502 });
  expect(server.seen).toHaveLength(2);
});

test("the deadline ends a call that gets no response", async () => {
  await using server = await serve(() => undefined);
  const error = await caught(server.canvass.surveys.get("s1", { deadlineMs: 50 }));
  expect(error).toMatchObject({ code: "deadline_passed", retryable: true });
});

test("an attempt that gets no response is given up and repeated", async () => {
  await using server = await serve((response, _seen, number) => {
    if (number > 1) succeed(response, {});
  });
  const retrying = retryingFetch(fetch, { deadlineMs: 60_000, retries: 1, attemptMs: 50 });
  expect(await retrying(new Request(server.url))).toMatchObject({ status: 200 });
  expect(server.seen).toHaveLength(2);
});

test("an attempt outlasts the longest deadline of the API, which is 30 seconds", async () => {
  vi.useFakeTimers();
  try {
    const attempts: AbortSignal[] = [];
    const send = ({ signal }: Request) => {
      attempts.push(signal);
      return new Promise<Response>((_, reject) =>
        signal.addEventListener("abort", () => reject(new Error("given up"))),
      );
    };
    const failing = retryingFetch(send, { deadlineMs: 60_000, retries: 0 })(new Request("http://localhost"));
    const outcome = caught(failing);
    await vi.advanceTimersByTimeAsync(32_000);
    expect(attempts.map(({ aborted }) => aborted)).toEqual([false]);
    await vi.advanceTimersByTimeAsync(28_000);
    expect(await outcome).toBeInstanceOf(Error);
  } finally {
    vi.useRealTimers();
  }
});

test("a body has as long to arrive as the API allows: 8 KiB a second on top", async () => {
  await using server = await serve((response) => void setTimeout(() => response.end(), 300));
  const retrying = retryingFetch(fetch, { deadlineMs: 100, retries: 0, attemptMs: 100 });
  const send = (bytes: number) => retrying(new Request(server.url, { method: "POST", body: "x".repeat(bytes) }));
  expect(await caught(send(1))).toBeInstanceOf(Error);
  expect(await send(800_000)).toMatchObject({ status: 200 });
  expect(server.seen.at(-1)!.body).toHaveLength(800_000);
});

test("a `Retry-After` beyond the deadline is not waited for", async () => {
  await using server = await serve((response) =>
    refuse(response, 429, "rate_limited", { ...retryable, "retry-after": "3600" }),
  );
  expect((await caught(server.canvass.surveys.get("s1"))).code).toBe("rate_limited");
  expect(server.seen).toHaveLength(1);
});

test("a signal ends a call with its reason, also while it waits", async () => {
  const controller = new AbortController();
  const reason = new Error("the user left");
  await using server = await serve((response) => {
    refuse(response, 503, "service_unavailable", { ...retryable, "retry-after": "30" });
    setImmediate(() => controller.abort(reason));
  });
  expect(await caught(server.canvass.surveys.get("s1", { signal: controller.signal }))).toBe(reason);
  expect(await caught(server.canvass.surveys.get("s1", { signal: controller.signal }))).toBe(reason);
  expect(server.seen).toHaveLength(1);
});

test("token and workspace go with operations that need them", async () => {
  await using server = await serve((response) => succeed(response, {}, '"e"'), { workspaceId: "w1" });
  await server.canvass.surveys.get("s1");
  await server.canvass.api.getPublicLink({ path: { code: "c" } });
  expect(server.seen.map(({ headers }) => [headers.authorization, headers["x-workspace-id"]])).toEqual([
    ["Bearer cvs_test_x", "w1"],
    [undefined, "w1"],
  ]);
});

test.each([301, 302, 303, 307, 308])(
  "a redirect (%i) is refused, since a write that follows it may become a read",
  async (status) => {
    await using server = await serve((response, { path }) => {
      if (path.startsWith("/moved")) succeed(response, [], '"e"');
      else response.writeHead(status, { location: `/moved${path}` }).end();
    });
    const submission = { respondentId: "r1", responses: [] };
    const error = await caught(server.canvass.responses.submit("s1", submission));
    expect(error).toMatchObject({ code: "unexpected_response", status, retryable: false });
    expect(server.seen).toHaveLength(1);
  },
);

test.each([Infinity, Number.MAX_SAFE_INTEGER])("a deadline of %d ms is never reached", async (deadlineMs) => {
  await using server = await serve((response) => succeed(response, { id: "s1" }, '"e"'), { deadlineMs });
  expect(await server.canvass.surveys.get("s1")).toMatchObject({ id: "s1" });
});

test("`url` may be the address of the API", async () => {
  await using server = await serve((response) => succeed(response, { id: "s1" }, '"e"'));
  await createCanvass({ url: `${server.url}/api/v1/` }).surveys.get("s1");
  expect(server.seen[0]!.path).toBe("/api/v1/surveys/s1");
});

test("a token that cannot be sent is refused at once, without being shown", () => {
  const create = () => createCanvass({ url: "http://localhost", token: "cvs_live_a\ncvs_live_b" });
  expect(create).toThrow(new TypeError("`token` has characters that no token has"));
  createCanvass({ url: "http://localhost", token: "cvs_live_a\n" });
});
