import { AppError } from "@canvass/errors";
import { waitFor } from "@canvass/testing";
import type { HandlerContext } from "@connectrpc/connect";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { someSurvey, surveyId } from "./fake-services.ts";
import { connectMcp, type McpClient } from "./mcp-client.ts";
import { read, startEdge, type Edge } from "./start-edge.ts";

interface Asked {
  method: string;
  request: Record<string, unknown>;
  headers: Headers;
}

let asked: Asked[] = [];
/** Streams of a service that a tool reads. */
let streams = { opened: 0, ended: 0 };

const distributor = {
  distributorId: "distributor00000",
  surveyId,
  type: "link",
  name: "Link",
  status: "draft",
  code: "",
};
const changed = new AppError("acknowledgement_required", { changes: [{ changeId: "c1", class: "results_affecting" }] });
const note = (method: string, request: object, { requestHeader }: HandlerContext) =>
  void asked.push({ method, request: request as Asked["request"], headers: requestHeader });

let edge: Edge;
/** A client with every scope. */
let all: McpClient;
beforeAll(async () => {
  edge = await startEdge(
    {
      survey: {
        listSurveys: async (request, call) => {
          note("listSurveys", request, call);
          return { surveys: [someSurvey({ name: call.requestHeader.get("canvass-request-id")! })], hasMore: false };
        },
        publishSurvey: async (request, call) => {
          note("publishSurvey", request, call);
          if (!request.bodyJson.includes("c1")) throw changed;
          return { versionId: "version000000000", versionNumber: 3, etag: '"after"' };
        },
        createSurvey: async (request, call) => {
          note("createSurvey", request, call);
          throw new AppError("validation_failed", { name: ["is required"], "questions.0.text": ["is required"] });
        },
      },
      distributor: {
        createDistributor: async (request, call) => {
          note("createDistributor", request, call);
          return { distributor };
        },
        listDistributors: async () => {
          throw new Error("secret detail");
        },
      },
      response: {
        async *streamAggregation(_request, { signal }) {
          streams.opened += 1;
          yield { summary: { contentHash: "0123456789abcdef", completionTrend: [] } };
          await once(signal, "abort");
          streams.ended += 1;
        },
      },
    },
    { config: { CANVASS_TRUSTED_PROXIES: "127.0.0.1", CANVASS_CORS_ORIGINS: "https://app.example.org" } },
  );
  all = await connectMcp(edge);
});
afterAll(async () => {
  await all[Symbol.asyncDispose]();
  await edge[Symbol.asyncDispose]();
});
beforeEach(() => {
  asked = [];
  streams = { opened: 0, ended: 0 };
});

const listTools = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

async function post(message: unknown, init: { token?: string; headers?: Record<string, string> } = {}) {
  const { value } = edge.services.issueToken(["full_access"]);
  const { token = value, headers } = init;
  return read(
    await fetch(`${edge.url}/mcp`, {
      method: "POST",
      headers: {
        ...(token !== "" && { authorization: `Bearer ${token}` }),
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: typeof message === "string" ? message : JSON.stringify(message),
    }),
  );
}

describe.each(["modern", "legacy"] as const)("a client of the %s era", (era) => {
  test("lists the tools and calls one with the operation's own checks and data", async () => {
    await using mcp = await connectMcp(edge, { era });
    const { tools } = await mcp.client.listTools();
    expect(tools).toHaveLength(20);
    for (const { annotations = {}, inputSchema } of tools) {
      expect([annotations.readOnlyHint, annotations.destructiveHint]).not.toEqual([true, true]);
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    }
    // A model reads all of them, in each conversation.
    expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema)).length).toBeLessThan(110_000);
    const writing = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);
    expect(writing).toEqual(["create_survey", "import_survey", "publish_survey", "create_link", "activate_link"]);
    const { result, content } = await mcp.call("list_surveys", { q: "Lunch", limit: 5, cursor: null });
    expect(asked[0]!.request).toMatchObject({ query: "Lunch", limit: 5, cursor: "" });
    expect(result).toMatchObject({ data: [{ id: surveyId }], pagination: { hasMore: false } });
    expect(result.notice).toMatch(/not instructions/);
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual(result);
  });

  test("gets the API's errors as tool errors, with all violations", async () => {
    await using mcp = await connectMcp(edge, { era });
    const { error } = await mcp.call("create_survey", { description: "x" });
    expect(error).toMatchObject({
      code: "validation_failed",
      retryable: false,
      details: { name: ["is required"], "questions.0.text": ["is required"] },
    });
    expect((await mcp.call("list_links", { surveyId })).error).toMatchObject({ code: "internal_error", details: {} });
    await expect(mcp.client.callTool({ name: "drop_tables" })).rejects.toMatchObject({ code: -32602 });
  });
});

test("one message has one server: no session, no streams of the server, no lists of messages", async () => {
  const { status, headers, body } = await post([listTools, listTools]);
  expect([status, body.error.code]).toEqual([400, "invalid_request"]);
  expect(headers.get("mcp-session-id")).toBeNull();
  for (const method of ["GET", "DELETE"]) {
    const answer = await fetch(`${edge.url}/mcp`, { method, headers: { accept: "text/event-stream" } });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    await answer.body?.cancel();
  }
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const listen = { ...listTools, method: "subscriptions/listen", params: { notifications: {}, _meta: envelope } };
  const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
  const refused = await post(listen, { headers: modern });
  expect(refused.text).toMatch(/Subscription limit reached/);
  expect((await post({ jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
});

test.each([
  ["no JSON", "{", 400],
  ["an object with a prototype", '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{}}}', 400],
  ["no message", "{}", 400],
  ["a text", '"tools/list"', 400],
  ["nothing", "", 400],
  ["more than a mebibyte", `"${"x".repeat(1_048_576)}"`, 413],
])("a body of %s is refused", async (_, body, status) => {
  expect((await post(body)).status).toBe(status);
  expect(asked).toEqual([]);
});

test("a call needs a token, as any operation", async () => {
  const missing = await post(listTools, { token: "" });
  expect([missing.status, missing.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="canvass"']);
  const wrong = await post(listTools, { token: "cvs_live_wrong" });
  expect([wrong.status, wrong.body.error.code]).toEqual([401, "invalid_token"]);
  expect(wrong.headers.get("www-authenticate")).toContain('error="invalid_token"');
  const foreign = await post(listTools, { headers: { "x-workspace-id": "foreign000000000" } });
  expect([foreign.status, foreign.body.error.code]).toEqual([403, "workspace_not_accessible"]);
  await using mcp = await connectMcp(edge, { headers: { "x-workspace-id": "workspace0000000" } });
  expect((await mcp.call("list_surveys")).error).toBeUndefined();
});

test("pages of other origins are refused, also by a name that was bound to this address", async () => {
  for (const origin of ["https://evil.example", "null", "https://app.example.org.evil.example"]) {
    const { status, body } = await post(listTools, { headers: { origin, host: "evil.example" } });
    expect([status, body.error.code]).toEqual([403, "forbidden"]);
  }
  const listed = await post(listTools, { headers: { origin: "https://app.example.org" } });
  expect([listed.status, listed.headers.get("access-control-allow-origin")]).toEqual([200, "https://app.example.org"]);
});

test("a token without the scope sees no such tool and cannot call it", async () => {
  const { value: token } = edge.services.issueToken(["surveys:read"]);
  await using mcp = await connectMcp(edge, { token });
  const { tools } = await mcp.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "list_surveys",
    "get_survey",
    "list_questions",
    "validate_draft",
    "plan_publication",
  ]);
  const { error } = await mcp.call("create_link", { surveyId, name: "Link" });
  expect(error).toMatchObject({ code: "insufficient_scope", details: { required_scope: "distribution:write" } });
  expect(asked).toEqual([]);
});

test("publishing needs the state that was read and the acknowledgement, as in the API", async () => {
  await all.call("publish_survey", { surveyId });
  expect(asked.at(-1)!.request["ifMatch"]).toEqual([]);
  const { error } = await all.call("publish_survey", { surveyId, ifMatch: '"before"' });
  expect(error).toMatchObject({ code: "acknowledgement_required", details: changed.details });
  const acknowledged = { surveyId, ifMatch: '"before"', acknowledge: ["c1"], idempotencyKey: "once" };
  const { result } = await all.call("publish_survey", acknowledged);
  expect(result).toMatchObject({ data: { versionNumber: 3 }, etag: '"after"' });
  const { request, headers } = asked.at(-1)!;
  expect(request).toMatchObject({ surveyId, ifMatch: ['"before"'], bodyJson: '{"acknowledge":["c1"]}' });
  expect(headers.get("canvass-idempotency-bin")).not.toBeNull();
});

test("the operation sees the client's address and the request's id", async () => {
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const headers = { "x-forwarded-for": "192.0.2.7", "x-request-id": "mine", traceparent };
  await using mcp = await connectMcp(edge, { headers });
  await mcp.call("list_surveys");
  const seen = asked.at(-1)!.headers;
  expect(seen.get("canvass-client-address")).toBe("192.0.2.7");
  expect(seen.get("canvass-request-id")).toBe("mine");
});

test.each<[string, string, Record<string, unknown>, string, RegExp]>([
  ["path", "get_survey", { surveyId: "../tokens" }, "survey_not_found", /./],
  ["path with a query", "get_survey", { surveyId: `${surveyId}?x=1#` }, "survey_not_found", /./],
  ["path that is no text", "get_survey", { surveyId: { $ne: 1 } }, "survey_not_found", /./],
  ["path of half a character", "get_survey", { surveyId: "\ud800" }, "survey_not_found", /./],
  ["path that is missing", "get_survey", {}, "invalid_request", /surveyId.*is required/],
  ["path beyond all length", "get_survey", { surveyId: "x".repeat(100_000) }, "request_header_fields_too_large", /./],
  ["unknown parameter", "list_surveys", { workspaceId: "other", q: "x" }, "validation_failed", /workspaceId/],
  ["list for a number", "list_surveys", { limit: [1], sort: "x" }, "validation_failed", /sort.*limit/],
  ["number out of range", "list_surveys", { skip: -1 }, "validation_failed", /skip/],
  [
    "second line in a header",
    "publish_survey",
    { surveyId, ifMatch: '"a"\r\nX-Workspace-ID: b' },
    "validation_failed",
    /If-Match/,
  ],
  [
    "text for a header",
    "create_link",
    { surveyId, name: "x", idempotencyKey: "é" },
    "validation_failed",
    /Idempotency-Key/,
  ],
])("a hostile argument is refused before a service is asked: %s", async (_, name, given, code, details) => {
  const { error } = await all.call(name, given);
  expect(error.code).toBe(code);
  expect(JSON.stringify(error.details)).toMatch(details);
  expect(asked).toEqual([]);
});

test("a number that overflows is refused, as in the API", async () => {
  const given = `{"surveyId":"${surveyId}","name":"x","settings":{"responseLimit":1e400}}`;
  const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_link","arguments":${given}}}`;
  const { text } = await post(call);
  expect(text).toMatch(/validation_failed.*settings.*must not contain numbers beyond/);
  expect(asked).toEqual([]);
});

test("the target of a request may be a whole address with a password", async () => {
  const { port } = new URL(edge.url);
  const { value } = edge.services.issueToken(["full_access"]);
  const body = JSON.stringify(listTools);
  const headers = {
    authorization: `Bearer ${value}`,
    "content-type": "application/json",
    "content-length": body.length,
    accept: "application/json, text/event-stream",
  };
  const sent = request({ port, method: "POST", path: "http://user:password@example.org/mcp", headers }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(200);
});

test("two clients at once get their own answers", async () => {
  const names = ["one", "two"];
  const clients = await Promise.all(names.map((name) => connectMcp(edge, { headers: { "x-request-id": name } })));
  const called = await Promise.all(Array.from({ length: 20 }, (_, index) => clients[index % 2]!.call("list_surveys")));
  expect(called.map(({ result }) => result.data[0].name)).toEqual(Array.from({ length: 10 }, () => names).flat());
  await Promise.all(clients.map((each) => each[Symbol.asyncDispose]()));
});

test("a call ends when its client leaves", async () => {
  const left = new AbortController();
  const call = all.call("get_results", { surveyId }, { signal: left.signal });
  await waitFor(() => streams.opened === 1, { describe: "the call to be under way" });
  left.abort();
  await expect(call).rejects.toThrow(/abort/i);
  await waitFor(() => streams.ended === 1, { describe: "the stream to end" });
  expect((await all.call("list_surveys")).error).toBeUndefined();
});

test("a workspace has eight calls at once", async () => {
  const left = new AbortController();
  const { signal } = left;
  const calls = Array.from({ length: 8 }, () =>
    all.call("get_results", { surveyId }, { signal }).catch(() => undefined),
  );
  await waitFor(() => streams.opened === 8, { describe: "the calls to be under way" });
  const { error } = await all.call("list_surveys");
  expect(error).toMatchObject({ code: "rate_limited", retryable: true, details: { concurrent_tools: 8 } });
  left.abort();
  await Promise.all(calls);
  await waitFor(async () => !(await all.call("list_surveys")).error, { describe: "a free place" });
});

test("a call ends at the gateway's deadline", async () => {
  await using slow = await startEdge(
    { feed: { listEvents: async (_request, { signal }) => once(signal, "abort").then(() => ({})) } },
    { config: { CANVASS_REQUEST_TIMEOUT_MS: 500 } },
  );
  await using mcp = await waitFor(() => connectMcp(slow), { describe: "a connection" });
  expect((await mcp.call("read_events")).error).toMatchObject({ code: "deadline_exceeded", retryable: true });
});

test("calls count like those of the API, and the requests themselves as reads", async () => {
  await using few = await startEdge(
    { distributor: { createDistributor: async () => ({ distributor }) } },
    { config: { CANVASS_RATE_LIMIT_WRITES: 1, CANVASS_RATE_LIMIT_READS: 6 } },
  );
  await using mcp = await connectMcp(few);
  const given = { surveyId, name: "Link" };
  expect((await mcp.call("create_link", given)).error).toBeUndefined();
  const { error } = await mcp.call("create_link", given);
  expect(error).toMatchObject({ code: "rate_limited", retryable: true, details: { limit: 1 } });
  expect(error.retryAfterSeconds).toBeGreaterThan(0);
  const calls = async () => {
    for (;;) await mcp.call("create_link", given);
  };
  await expect(calls()).rejects.toThrow(/429|rate_limited/);
});
