import { AppError } from "@canvass/errors";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { someSurvey, surveyId } from "./fake-services.ts";
import { startEdge, type Edge } from "./start-edge.ts";

let edge: Edge;
let token: string;
let created: string[];
let matched: string[][];
beforeAll(async () => {
  edge = await startEdge({
    survey: {
      createSurvey: async ({ bodyJson }) => {
        created.push(bodyJson);
        return { survey: someSurvey() };
      },
      listSurveys: async () => ({ surveys: [], nextCursor: "" }),
      updateSurvey: async ({ ifMatch }) => {
        matched.push(ifMatch);
        throw new AppError("precondition_failed");
      },
    },
  });
  token = edge.services.issueToken(["full_access"]).value;
});
afterAll(() => edge[Symbol.asyncDispose]());

function open(): Socket {
  const socket = connect(Number(new URL(edge.url).port), "127.0.0.1");
  // A refusal may come while the client still writes.
  socket.on("error", () => undefined);
  return socket;
}

/** Sends bytes that no HTTP client would send. Returns all that arrives until the connection ends. */
async function send(...lines: string[]): Promise<string> {
  created = [];
  matched = [];
  const socket = open();
  socket.write(lines.join("\r\n"));
  let received = "";
  for await (const bytes of socket) received += String(bytes);
  return received;
}

const statuses = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

/** The envelope of the last answer. */
function lastEnvelope(received: string) {
  const body = JSON.parse(received.slice(received.lastIndexOf("\r\n\r\n") + 4)) as { success: boolean; error: object };
  expect(body).toMatchObject({ success: false, error: { message: expect.any(String) }, meta: { version: "1.0" } });
  return body;
}

const post = "POST /api/v1/surveys HTTP/1.1";
const head = () => ["Host: x", `Authorization: Bearer ${token}`, "Content-Type: application/json"];
const smuggled = "GET /api/v1/surveys HTTP/1.1\r\nHost: x\r\n\r\n";
const body = '{"name":"a"}';

test("the same request, well formed, is accepted, so the refusals below are due to its form", async () => {
  const received = await send(post, ...head(), "Connection: close", `Content-Length: ${body.length}`, "", body);
  expect([statuses(received), created]).toEqual([[201], [body]]);
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const chunked = await send(post, ...head(), "Connection: close", "Transfer-Encoding: chunked", "", chunk);
  expect([statuses(chunked), created]).toEqual([[201], [body]]);
});

test.each([
  ["a length and chunks", ["Content-Length: 4", "Transfer-Encoding: chunked", "", `0\r\n\r\n${smuggled}`]],
  ["chunks and a length", ["Transfer-Encoding: chunked", "Content-Length: 4", "", `0\r\n\r\n${smuggled}`]],
  ["two lengths", ["Content-Length: 12", "Content-Length: 4", "", body + smuggled]],
  ["two equal lengths", ["Content-Length: 12", "Content-Length: 12", "", body + smuggled]],
  ["a list of lengths", ["Content-Length: 12, 12", "", body + smuggled]],
  ["a length with a sign", ["Content-Length: +12", "", body + smuggled]],
  ["a negative length", ["Content-Length: -1", "", body + smuggled]],
  ["a hexadecimal length", ["Content-Length: 0xc", "", body + smuggled]],
  ["a length beyond numbers", ["Content-Length: 99999999999999999999", "", body + smuggled]],
  ["a space before the colon", ["Content-Length : 12", "", body + smuggled]],
  ["a folded header", ["X-Folded: a", " Content-Length: 4", "Content-Length: 12", "", body + smuggled]],
  ["another coding before chunks", ["Transfer-Encoding: gzip, chunked", "", `0\r\n\r\n${smuggled}`]],
  ["an unknown coding", ["Transfer-Encoding: xchunked", "", `0\r\n\r\n${smuggled}`]],
  ["chunked twice", ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked", "", `0\r\n\r\n${smuggled}`]],
  ["chunks that do not come last", ["Transfer-Encoding: chunked, identity", "", `0\r\n\r\n${smuggled}`]],
  ["a tab in the coding's name", ["Transfer-Encoding: \x0bchunked", "", `0\r\n\r\n${smuggled}`]],
  ["a chunk size that is none", ["Transfer-Encoding: chunked", "", `zz\r\n${body}\r\n0\r\n\r\n${smuggled}`]],
  ["a chunk longer than its size", ["Transfer-Encoding: chunked", "", `1\r\n${body}\r\n0\r\n\r\n${smuggled}`]],
  ["a zero byte in a header", ["X-Zero: a\0b", "Content-Length: 12", "", body + smuggled]],
  ["a bare carriage return", ["X-Bare: a\rContent-Length: 4", "Content-Length: 12", "", body + smuggled]],
  ["a header without name", [": a", "Content-Length: 12", "", body + smuggled]],
])(
  "a request that two servers could read differently is refused, and nothing behind it is read: %s",
  async (_, rest) => {
    const received = await send(post, ...head(), ...rest);
    expect(statuses(received)).toEqual([400]);
    expect(lastEnvelope(received)).toMatchObject({
      error: { code: expect.stringMatching(/^(invalid_request|malformed_json)$/) },
    });
    expect(received).toMatch(/connection: close/i);
    expect(created).toEqual([]);
  },
);

test.each([
  ["line feeds alone", [post, ...head(), "Content-Length: 12", "", body].join("\n")],
  ["no host", "GET /api/v1/errors HTTP/1.1\r\n\r\n"],
  ["two hosts", "GET /api/v1/errors HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
  ["HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["a version that is none", "GET /api/v1/errors HTTP/9.9\r\nHost: x\r\n\r\n"],
  ["a space in the address", "GET /api/v1/er rors HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["TLS", "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03"],
])("what is no proper HTTP gets 400 and an envelope: %s", async (_, bytes) => {
  const received = await send(bytes);
  expect(statuses(received)).toEqual([400]);
  expect(lastEnvelope(received)).toMatchObject({ error: { code: "invalid_request" } });
});

test.each(["a b", "%", "[::1", "x:99999", "<script>", "x".repeat(5000)])(
  "a Host header that is no name causes no 5xx and is not echoed: %j",
  async (host) => {
    for (const path of ["/docs", "/docs/", "/", "/api/v1/docs", "/api/v1/openapi.json"]) {
      const received = await send(`GET ${path} HTTP/1.1`, `Host: ${host}`, "Connection: close", "", "");
      expect(statuses(received)[0]).toBeLessThan(500);
      expect(received).not.toContain("<script>\r\n");
    }
  },
);

test("an absolute URL of an unknown path, and an invalid path, are not found", async () => {
  const call = (target: string) => send(`GET ${target} HTTP/1.1`, "Host: x", "Connection: close", "", "");
  for (const target of ["http://evil.example/api/v1/nothing", "//evil.example/api/v1/health", "/%2e%2e/%00"]) {
    expect(statuses(await call(target)), `at ${target}`).toEqual([404]);
  }
});

test.each([
  ["one header", `X-Long: ${"x".repeat(20_000)}`],
  ["many headers", Array.from({ length: 1500 }, (_, index) => `X-${index}: ${"y".repeat(20)}`).join("\r\n")],
])("headers that are too large are refused by an envelope: %s", async (_, header) => {
  const received = await send("GET /api/v1/errors HTTP/1.1", "Host: x", header, "", "");
  expect(statuses(received)).toEqual([431]);
  expect(lastEnvelope(received)).toMatchObject({ error: { code: "request_header_fields_too_large" } });
});

test("a repeated token or key, and a `*` beside another entity tag, are refused", async () => {
  const twice = ["Host: x", `Authorization: Bearer ${token}`, "Authorization: Bearer other", "Connection: close"];
  const received = await send("GET /api/v1/surveys HTTP/1.1", ...twice, "", "");
  expect(statuses(received)).toEqual([401]);
  const keys = ["Idempotency-Key: a", "Idempotency-Key: b", "Connection: close", `Content-Length: ${body.length}`];
  expect(statuses(await send(post, ...head(), ...keys, "", body))).toEqual([422]);
  const patch = [`PATCH /api/v1/surveys/${surveyId} HTTP/1.1`, ...head(), `Content-Length: ${body.length}`];
  for (const [one, other] of [
    ["*", "*"],
    ["*", '"old"'],
    ['"old"', "*"],
  ]) {
    const tags = [`If-Match: ${one}`, `If-Match: ${other}`, "Connection: close"];
    // A star stands alone.
    expect(statuses(await send(...patch, ...tags, "", body))).toEqual([422]);
    expect(matched).toEqual([]);
  }
});

test("an upgrade that is not offered is an ordinary request", async () => {
  const asked = ["Host: x", "Connection: Upgrade, close", "Upgrade: websocket", "Sec-WebSocket-Key: eA==", "", ""];
  expect(statuses(await send("GET /api/v1/errors HTTP/1.1", `Authorization: Bearer ${token}`, ...asked))).toEqual([
    200,
  ]);
});

test("an unknown method is refused like one the address does not take, and no tunnel is opened", async () => {
  for (const [line, status, allow] of [
    ["FOO /api/v1/surveys", 405, "GET, HEAD, POST"],
    ["get /api/v1/surveys?limit=1", 405, "GET, HEAD, POST"],
    ["FOO /api/v1/nothing", 404, undefined],
    ["FOO /%zz", 404, undefined],
    ["CONNECT evil.example:443", 405, "GET, HEAD, POST, PATCH, DELETE, PUT"],
    ["GET *", 404, undefined],
    ["OPTIONS *", 404, undefined],
  ] as const) {
    const received = await send(`${line} HTTP/1.1`, "Host: x", "Connection: close", "", "");
    expect(statuses(received), `of ${line}`).toEqual([status]);
    expect(lastEnvelope(received)).toMatchObject({
      error: { code: status === 404 ? "route_not_found" : "method_not_allowed" },
    });
    expect(/^allow: (.*)\r$/im.exec(received)?.[1], `of ${line}`).toBe(allow);
  }
});

test("a tunnel requested behind a request does not take its answer", async () => {
  const received = await send(
    "GET /api/v1/health HTTP/1.1",
    "Host: x",
    "",
    "CONNECT x:443 HTTP/1.1",
    "Host: x",
    "",
    "",
  );
  expect(statuses(received)).not.toContain(405);
  expect((await edge.call("/surveys", { token })).status).toBe(200);
});

test("Expect: 100-continue is answered as HTTP wants it, any other expectation is ignored", async () => {
  const rest = ["Connection: close", `Content-Length: ${body.length}`, "", body];
  expect(statuses(await send(post, ...head(), "Expect: 100-continue", ...rest))).toEqual([100, 201]);
  expect(statuses(await send(post, ...head(), "Expect: tea", ...rest))).toEqual([201]);
});

test("what a caller sends reaches no prototype", async () => {
  const hostile = [
    "__proto__=1",
    "__proto__[polluted]=1",
    "constructor[prototype][polluted]=1",
    "constructor.prototype.polluted=1",
    "limit[__proto__]=1",
    "toString=1&hasOwnProperty=1&valueOf=1",
  ];
  for (const query of hostile) {
    const { status, body: answer } = await edge.call(`/surveys?${query}`, { token });
    expect([status, answer.error.code], `for ${query}`).toEqual([422, "validation_failed"]);
    expect(Object.values(answer.error.details as object).flat()).toContain("is not a known parameter");
  }
  for (const text of [
    '{"name":"a","__proto__":{"polluted":1}}',
    '{"name":"a","x":[{"__proto__":{"polluted":1}}]}',
    '{"name":"a","constructor":{"prototype":{"polluted":1}}}',
    '{"na\\u006de":"a","\\u005f\\u005fproto\\u005f\\u005f":{"polluted":1}}',
  ]) {
    expect((await edge.call("/surveys", { token, method: "POST", body: text })).status, `for ${text}`).toBe(400);
  }
  for (const id of ["__proto__", "constructor", "toString"]) {
    expect((await edge.call(`/surveys/${id}`, { token })).status).toBe(404);
    expect((await edge.call(`/event-subscriptions/${id}`, { token: null })).status).toBe(401);
  }
  const headers = { __proto__: null, "x-workspace-id": "__proto__", "idempotency-key": "__proto__" };
  expect((await edge.call("/surveys", { token, headers: headers as never })).status).toBe(403);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect((await edge.call(`/surveys/${surveyId}?constructor`, { token })).status).toBe(422);
});
