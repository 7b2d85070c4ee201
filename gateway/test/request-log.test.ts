import { createLogger } from "@canvass/telemetry";
import { once } from "node:events";
import { connect } from "node:net";
import { Writable } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { surveyId, type FakeServices } from "./fake-services.ts";
import { startEdge, type Edge } from "./start-edge.ts";

type Line = Record<string, unknown>;

// A request that takes over a second has a line, too: here none takes any time.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** A gateway whose log can be read. */
async function startLogged(
  mode?: "refused" | "all" | "off",
  fakes: FakeServices = {},
): Promise<{ edge: Edge; requests: () => Line[]; text: () => string }> {
  let text = "";
  const destination = new Writable({ write: (chunk, _, done) => ((text += String(chunk)), done()) });
  const log = createLogger({ service: "gateway", pretty: false, destination });
  const edge = await startEdge(fakes, { log, ...(mode && { config: { CANVASS_REQUEST_LOG: mode } }) });
  const lines = () =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  return { edge, text: () => text, requests: () => lines().filter(({ msg }) => msg === "request") };
}

test("by default a refused request has one log line with its id, and a successful one has none", async () => {
  const { edge, requests, text } = await startLogged();
  await using _ = edge;
  expect((await edge.call("/tokens/scopes")).status).toBe(200);
  const headers = { "x-request-id": "mine", "user-agent": "spy" };
  const refused = await edge.call("/surveys/nonsense?secret=hidden", {
    method: "PATCH",
    body: `{"name":"private"}`,
    headers,
  });
  const unauthenticated = await edge.call("/surveys", { token: "cvs_live_nobody" });
  const nowhere = await edge.call("/nothing/confidential");
  expect(requests()).toEqual([
    {
      level: "info",
      time: expect.any(String),
      service: "gateway",
      msg: "request",
      method: "PATCH",
      route: "/api/v1/surveys/:surveyId",
      status: refused.status,
      code: refused.body.error.code,
      ms: expect.any(Number),
      workspaceId: expect.stringMatching(/^\w+$/),
      requestId: "mine",
    },
    expect.objectContaining({
      status: 401,
      code: "invalid_token",
      requestId: unauthenticated.headers.get("x-request-id"),
    }),
    expect.objectContaining({
      status: 404,
      route: "",
      code: "route_not_found",
      requestId: nowhere.body.meta.requestId,
    }),
  ]);
  expect(requests()[1]).not.toHaveProperty("workspaceId");
  expect(text()).not.toMatch(/hidden|private|nobody|confidential|spy|127\.0\.0\.1|::1/);
});

test("input that is no request has a log line too, and cannot forge one", async () => {
  const { edge, requests } = await startLogged();
  await using _ = edge;
  const socket = connect(Number(new URL(edge.url).port), "127.0.0.1");
  socket.write(`GET /\u0000 HTTP/1.1\r\nhost: x\r\nx-request-id: "}\\n{"level":"fatal"\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  expect(requests()).toEqual([
    expect.objectContaining({
      status: 400,
      code: "invalid_request",
      requestId: /x-request-id: (\S+)/.exec(String(answer))![1],
    }),
  ]);
  await edge.call("/nothing", { headers: { "x-request-id": `"}{"level":"fatal","msg":"x"}` } });
  expect(requests()).toHaveLength(2);
});

test.each([
  ["all", [200, 404]],
  ["off", []],
] as const)("with the request log `%s`, a success and a refusal have the lines %j", async (mode, statuses) => {
  const { edge, requests } = await startLogged(mode);
  await using _ = edge;
  await edge.call("/tokens/scopes");
  await edge.call(`/surveys/${surveyId}x`);
  expect(requests().map(({ status }) => status)).toEqual(statuses);
});

test("a caller who leaves before the answer has no line and causes no warning", async () => {
  const begun = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const { edge, requests, text } = await startLogged("all", {
    response: {
      async *streamAggregation(_request, { signal }) {
        begun.resolve();
        await once(signal, "abort");
        left.resolve();
        yield {};
      },
    },
  });
  await using _ = edge;
  const leave = new AbortController();
  const asked = edge.call(`/response/surveys/${surveyId}/aggregation`, { signal: leave.signal });
  await begun.promise;
  leave.abort();
  await expect(asked).rejects.toThrow("aborted");
  await left.promise;
  expect((await edge.call("/tokens/scopes")).status).toBe(200);
  expect(requests()).toEqual([expect.objectContaining({ status: 200, route: "/api/v1/tokens/scopes" })]);
  expect(text()).not.toMatch(/"level":"(warn|error)"|canceled/);
});
