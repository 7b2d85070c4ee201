import { createLogger } from "@canvass/telemetry";
import { connect } from "node:net";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { surveyId } from "./fake-services.ts";
import { startEdge, type Answer } from "./start-edge.ts";

const edge = await sharedByFile(startEdge());

const json = { "content-type": "application/json" };

/** Status and code of a refusal; checks its envelope. */
function refusal({ status, body, headers }: Answer): [number, string] {
  expect(body).toEqual({
    success: false,
    error: {
      code: expect.any(String),
      message: expect.any(String),
      suggestion: expect.any(String),
      retryable: expect.any(Boolean),
      details: expect.any(Object),
    },
    meta: {
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      version: "1.0",
      requestId: headers.get("x-request-id"),
    },
  });
  return [status, body.error.code];
}

test.each([["/nothing"], ["/"], ["/surveys/%zz"], ["/surveys/x/y/z"], ["/../../etc/passwd"]])(
  "what is not there is a 404 without a token: %s",
  async (path) => {
    expect(refusal(await edge.call(path, { token: null }))).toEqual([404, "route_not_found"]);
    expect(refusal(await edge.call(path, { token: null, method: "POST", body: "{", headers: json }))).toEqual([
      404,
      "route_not_found",
    ]);
  },
);

test("an unknown path outside the API gets the envelope, too", async () => {
  const response = await fetch(`${edge.url}/nothing`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ success: false, error: { code: "route_not_found" } });
});

test.each([
  ["DELETE", "/surveys", "GET, HEAD, POST"],
  ["PUT", `/surveys/${surveyId}`, "GET, HEAD, PATCH"],
  ["OPTIONS", "/events", "GET, HEAD"],
  ["PROPFIND", "/events?cursor=", "GET, HEAD"],
  ["GET", "/tokens/token00000000000/rotate", "POST"],
  ["POST", "/tokens/scopes", "GET, HEAD"],
])("a wrong method is a 405 that names the right ones, without a token: %s %s", async (method, path, allow) => {
  const answer = await edge.call(path, { token: null, method, ...(method === "PUT" && { body: "{", headers: json }) });
  expect(refusal(answer)).toEqual([405, "method_not_allowed"]);
  expect(answer.headers.get("allow")).toBe(allow);
});

test.each(["{", '{"a":1,}', "nul", "", " ", '{"a":1}x', "\u0000", "{'a':1}"])(
  "a body that is no JSON is malformed, and one that is not there is missing: %j",
  async (body) => {
    const answer = await edge.call("/surveys", { method: "POST", body, headers: json });
    expect(refusal(answer)).toEqual([400, body === "" ? "invalid_request" : "malformed_json"]);
  },
);

test("bytes that are no UTF-8 are malformed", async () => {
  const body = Buffer.from([0x22, 0xff, 0x22]);
  expect(refusal(await edge.call("/surveys", { method: "POST", body, headers: json }))).toEqual([
    400,
    "malformed_json",
  ]);
});

test("a missing body is a 400, and so is null", async () => {
  for (const init of [{ method: "POST" }, { method: "POST", body: "null", headers: json }]) {
    const answer = await edge.call("/surveys", init);
    expect(refusal(answer)).toEqual([400, "invalid_request"]);
    expect(answer.body.error.details).toEqual({ body: ["is required"] });
  }
});

test.each([
  ["text/plain", "{}"],
  ["application/x-www-form-urlencoded", "a=1"],
  ["application/xml", "<a/>"],
  ["json", "{}"],
])("a body of another media type is refused: %s", async (type, body) => {
  const answer = await edge.call("/surveys", { method: "POST", body, headers: { "content-type": type } });
  expect(refusal(answer)).toEqual([415, "unsupported_media_type"]);
  expect(answer.body.error.details).toEqual({ "Content-Type": ["must be application/json"] });
});

test("a body without media type is refused", async () => {
  const answer = await edge.call("/surveys", { method: "POST", body: Buffer.from("{}") });
  expect(refusal(answer)).toEqual([415, "unsupported_media_type"]);
  // The header would name the coding as the violation.
  expect(answer.headers.has("accept-encoding")).toBe(false);
});

test("a body with the coding identity is read, in any case", async () => {
  const headers = { ...json, "content-encoding": "Identity" };
  const answer = await edge.call("/surveys?x=1", { method: "POST", body: "[]", headers });
  expect(answer.body.error.details).toEqual({ x: [expect.any(String)], body: ["must be an object"] });
});

test.each([
  ["q=%ff", ["q"]],
  ["q=a%C3%28&limit=5", ["q"]],
  ["q=%zz&sort=%", ["q", "sort"]],
  ["q=%ed%a0%80", ["q"]],
  ["%c3%a9%ff=1", ["%c3%a9%ff"]],
])("a query that is not encoded in UTF-8 is refused, naming what: %s", async (query, names) => {
  const answer = await edge.call(`/surveys?${query}`);
  expect(refusal(answer)).toEqual([422, "validation_failed"]);
  for (const name of names) expect(answer.body.error.details[name]).toContain("is not percent-encoded UTF-8");
});

test.each([
  ['{"name":"a","name":"b"}', "name"],
  ['{"name":"a","n\\u0061me":"b"}', "name"],
  ['{"name":"a","questions":[{"type":1},{"text":"x","choices":["a"],"text":"y"}]}', "questions.1.text"],
  [`{"${"x".repeat(900)}":1,"${"x".repeat(900)}":1}`, `${"x".repeat(200)}…`],
])("a body with the same key twice in an object is refused: %s", async (body, path) => {
  const answer = await edge.call("/surveys", { method: "POST", body });
  expect(refusal(answer)).toEqual([400, "malformed_json"]);
  expect(answer.body.error.message).toBe("An object in the body has the same key twice.");
  expect(answer.body.error.details).toEqual({ [path]: ["is given twice"] });
});

test("a body over 1 MiB is refused, announced or not", async () => {
  const body = JSON.stringify({ name: "x".repeat(1_048_576) });
  expect(refusal(await edge.call("/surveys", { method: "POST", body }))).toEqual([413, "payload_too_large"]);
  const stream = new Blob([body]).stream();
  const init = { method: "POST", body: stream, headers: json, duplex: "half" };
  expect(refusal(await edge.call("/surveys", init as RequestInit))).toEqual([413, "payload_too_large"]);
});

test.each([
  ['{"__proto__":{"isAdmin":true}}', ["__proto__"]],
  ['{"name":"x","settings":{"__proto__":null}}', ["settings.__proto__"]],
  ['{"\\u005f_proto__":{}}', ["__proto__"]],
  ['{"constructor":{"prototype":{"isAdmin":true}}}', ["constructor"]],
  ['{"x":[{"__proto__":1},{"constructor":{"prototype":1}}]}', ["x.0.__proto__", "x.1.constructor"]],
])("keys that reach for prototypes are refused, each at its place: %s", async (body, places) => {
  const answer = await edge.call("/surveys", { method: "POST", body });
  expect(refusal(answer)).toEqual([400, "invalid_request"]);
  expect(Object.entries(answer.body.error.details)).toEqual(places.map((place) => [place, ["is not a known field"]]));
});

test("a body nested without end is refused, brackets in texts are not counted", async () => {
  const nested = `{"a":${"[".repeat(500_000)}${"]".repeat(500_000)}}`;
  expect(refusal(await edge.call("/surveys", { method: "POST", body: nested }))).toEqual([400, "invalid_request"]);
  const answer = await edge.call("/tokens?page=1", {
    method: "POST",
    body: JSON.stringify({ name: "[".repeat(90), x: '\\"[' }),
  });
  expect(Object.keys(answer.body.error.details)).toEqual(["page", "x"]);
});

test("an object with a flood of members is refused", async () => {
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));
  const send = (body: unknown) => edge.call("/tokens", { method: "POST", body: JSON.stringify(body) });
  expect((await send([names(1_001)])).body.error.message).toBe("The body has an object of more than 1000 members.");
  expect((await send([names(1_000)])).body.error.message).not.toMatch(/members/);
});

test("an id that is missing is a 400, one that cannot exist is as absent as any other", async () => {
  const missing = await edge.call("/surveys/");
  expect(refusal(missing)).toEqual([400, "invalid_request"]);
  expect(missing.body.error.details).toEqual({ surveyId: ["is required"] });
  expect(refusal(await edge.call("/surveys/short"))).toEqual([404, "survey_not_found"]);
  expect(refusal(await edge.call("/surveys/%00urvey0000000000"))).toEqual([404, "survey_not_found"]);
  expect(refusal(await edge.call(`/surveys/${"x".repeat(4000)}`))).toEqual([404, "survey_not_found"]);
  expect(refusal(await edge.call("/tokens/TOKEN00000000000"))).toEqual([404, "token_not_found"]);
  expect(refusal(await edge.call("/event-subscriptions/nope"))).toEqual([403, "subscription_not_found"]);
  expect(refusal(await edge.call(`/response/surveys/${surveyId}/respondents/x`))).toEqual([
    404,
    "respondent_not_found",
  ]);
});

/** The answer to bytes that no HTTP client would send. */
function sendRaw(
  text: string,
): Promise<{ head: string; body: any }> /* oxlint-disable-line typescript/no-explicit-any */ {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(edge.url).port), "127.0.0.1");
    let received = "";
    socket.on("data", (bytes) => (received += bytes.toString()));
    socket.on("close", () => {
      const [head = "", body = ""] = received.split("\r\n\r\n");
      resolve({ head, body: body === "" ? undefined : JSON.parse(body) });
    });
    socket.on("error", reject);
    socket.write(text);
  });
}

test("headers or an address that are too large get a 431 envelope", async () => {
  for (const request of [
    `GET /api/v1/events HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`,
    `GET /api/v1/events?${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  ]) {
    const { head, body } = await sendRaw(request);
    expect(head).toMatch(/^HTTP\/1\.1 431 /);
    expect(head).toContain(`x-request-id: ${body.meta.requestId}`);
    expect(body).toMatchObject({ success: false, error: { code: "request_header_fields_too_large" } });
  }
});

test("headers that are too large get a 431 after answers on the same connection, too", async () => {
  const { value } = edge.services.issueToken(["surveys:read"]);
  const good = `GET /api/v1/errors HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${value}\r\n\r\n`;
  const socket = connect(Number(new URL(edge.url).port), "127.0.0.1");
  let received = "";
  socket.on("data", (bytes) => (received += bytes.toString()));
  socket.write(good);
  await expect.poll(() => received).toContain("HTTP/1.1 200 OK");
  await expect.poll(() => received.endsWith("}}")).toBe(true);
  const ended = new Promise((resolve) => socket.on("close", resolve));
  socket.write(good.replace("Host", `X-Long: ${"x".repeat(20_000)}\r\nHost`));
  await ended;
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 431"]);
});

test("a caller that leaves while its body arrives logs no error", async () => {
  const failures: unknown[] = [];
  const log = createLogger({ service: "test", level: "error", pretty: false });
  log.error = (line: unknown) => failures.push(line);
  await using watched = await startEdge({}, { log });
  const { value } = watched.services.issueToken(["full_access"]);
  const socket = connect(Number(new URL(watched.url).port), "127.0.0.1");
  const head = "POST /api/v1/surveys HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n";
  socket.write(`${head}Authorization: Bearer ${value}\r\n\r\n{`);
  await expect.poll(() => watched.services.asked.length).toBe(1);
  socket.destroy();
  expect((await watched.call("/errors")).status).toBe(200);
  expect(failures).toEqual([]);
});

test("bytes that are not HTTP get a 400 envelope", async () => {
  const { head, body } = await sendRaw("HELLO THERE\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request/);
  expect(body).toMatchObject({ success: false, error: { code: "invalid_request" } });
});
