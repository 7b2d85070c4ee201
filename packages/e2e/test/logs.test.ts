import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { startTestCollector, type ReceivedSpan, type TestCollector } from "@canvass/telemetry/testing";
import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient, type ApiClient, type DemoSystem } from "../src/index.ts";
import { openDatabases, type Databases } from "./databases.ts";
import { expectRefusal } from "./expected-shapes.ts";
import { completeRespondent, completion, publishSmallSurvey, startRespondent } from "./small-survey.ts";
import { clientWithCachedToken } from "./client-with-cached-token.ts";
import { whileAway } from "./while-away.ts";
import { startTestSystem } from "./test-system.ts";

let demo: DemoSystem;
let api: ApiClient;
let databases: Databases;
let collector: TestCollector;
/** Secrets that may be in no file. */
const secrets: string[] = [];

beforeAll(async () => {
  collector = await startTestCollector();
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: "always_on" };
  demo = await startTestSystem({ env: { CANVASS_LOG_LEVEL: "trace", CANVASS_REQUEST_LOG: "all", ...tracing } });
  ({ api } = demo);
  databases = openDatabases(demo.system.local.databaseUrl);
  const { databasePasswords, ...keys } = demo.system.keys;
  const administrator = new URL(demo.system.local.databaseUrl).password;
  secrets.push(demo.system.local.token, administrator, ...Object.values(databasePasswords));
  secrets.push(keys.peerKey, keys.callerPrivateKey, keys.operatorKey, keys.cursorKey, keys.secretsKey);
});
afterAll(async () => {
  await databases?.[Symbol.asyncDispose]();
  await demo?.[Symbol.asyncDispose]();
  await collector?.[Symbol.asyncDispose]();
});

const processes = ["gateway", "token", "survey", "response", "distribution", "webhook", "delivery"];

interface LogLine {
  level: string;
  time: string;
  service: string;
  requestId?: string;
  trace_id?: string;
}

async function linesOf(process: string): Promise<LogLine[]> {
  const text = await readFile(join(demo.dataDir, "logs", `${process}.log`), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LogLine);
}

/** Waits until a process has logged something about a request. */
function lineAbout(process: string, requestId: string): Promise<LogLine> {
  return waitFor(async () => (await linesOf(process)).find((line) => line.requestId === requestId), {
    describe: `a line of ${process} about ${requestId}`,
  });
}

test("requests that carry secrets, good and bad, are answered or refused", async () => {
  const created = await api.post("/tokens", { name: "noted", scopes: ["surveys:read"] });
  const rotated = await api.call("POST", `/tokens/${created.data.id}/rotate`);
  secrets.push(created.data.token, rotated.data.token);
  await api.call("GET", "/surveys", { headers: { authorization: `Bearer ${created.data.token}` } });
  const typo = `${created.data.token}x`;
  await api.call("GET", `/surveys?token=${typo}`, { headers: { authorization: `Bearer ${typo}` } });

  const password = "correct horse battery staple";
  secrets.push(password, "hunter2-of-the-url");
  const survey = await publishSmallSurvey(api);
  const patch = (settings: object) =>
    api.call("PATCH", `/surveys/${survey.surveyId}`, { headers: { "if-match": "*" }, body: { settings } });
  expect((await patch({ access: { password } })).status).toBe(200);
  expect((await patch({ access: { password }, nonsense: password })).status).toBe(422);
  expect((await api.get(`/surveys/${survey.surveyId}`)).raw).not.toContain(password);
  const withPassword = { name: "Hook", url: "https://user:hunter2-of-the-url@example.org/hook" };
  expect((await api.call("POST", "/event-subscriptions", { body: withPassword })).status).toBe(422);

  const { data: link } = await api.post(`/distribution/surveys/${survey.surveyId}`, {
    settings: { prefill: true },
    name: "Link",
  });
  await api.post(`/distribution/${link.id}/activate`);
  secrets.push("answer-of-the-address");
  for (const page of [link.url, `${link.url}x`, `${link.url}/x`]) {
    await (await fetch(`${page}?q.name=answer-of-the-address`)).text();
  }

  const webhook = await api.post("/event-subscriptions", { name: "Hook", url: demo.receiver.url });
  const replaced = await api.post(`/event-subscriptions/${webhook.data.id}/rotate-secret`);
  for (const { secret } of [webhook.data, replaced.data]) secrets.push(secret, secret.slice("whsec_".length));
  // Refused until the receiver knows the secret, so that failures are logged too.
  await completeRespondent(api, survey);
  await waitFor(
    async () => (await api.get(`/event-subscriptions/${webhook.data.id}/deliveries`)).data[0]?.attempts.length > 0,
    { describe: "a failed attempt" },
  );
  await using stranger = createApiClient(demo.system.local.baseUrl, "cvs_live_stranger");
  expectRefusal(await stranger.call("GET", "/surveys"), 401, "invalid_token", {});
});

test("a completion is one trace: from the request through RPC, outbox and bus to each consumer, and on to the receiver", async () => {
  const { receiver } = demo;
  const survey = await publishSmallSurvey(api, "Traced");
  const respondentId = await startRespondent(api, survey);
  const { data: hooks } = await api.get("/event-subscriptions");
  const { data: replaced } = await api.post(`/event-subscriptions/${hooks[0].id}/rotate-secret`);
  secrets.push(replaced.secret, replaced.secret.slice("whsec_".length));
  receiver.trust(replaced.secret);
  const arrived = Promise.withResolvers<string | undefined>();
  receiver.intercept(({ headers, body }) => {
    if (body.includes(respondentId)) arrived.resolve(headers["traceparent"] as string | undefined);
    return 204;
  });

  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const requestId = "request-with-a-trace";
  // The caller's flag does not count: the gateway decides.
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-00`, "x-request-id": requestId };
  const body = completion(survey, respondentId);
  expect((await api.call("POST", `/response/surveys/${survey.surveyId}`, { body, headers })).status).toBe(200);

  const [version, itsTrace, parentId, flags] = (await arrived.promise)!.split("-");
  expect([version, itsTrace, flags]).toEqual(["00", traceId, "01"]);
  const expected = [
    "gateway: POST /api/v1/response/surveys/:surveyId",
    "gateway: canvass.response.v1.ResponseService/BatchSubmitAnswers",
    "response: canvass.response.v1.ResponseService/BatchSubmitAnswers",
    "response: transaction",
    "response: publish response.completed",
    "webhook: process response.completed",
    "survey: process response.completed",
    "delivery: process response.completed",
    "delivery: POST webhook",
  ];
  const known = ({ service, name }: ReceivedSpan) => `${service}: ${name}`;
  const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId);
  await waitFor(() => expected.every((one) => ofTrace().map(known).includes(one)), {
    describe: "all spans of the completion",
  });
  const spans = ofTrace();
  const ids = new Map(spans.map((span) => [span.spanId, span]));
  // Every span has a parent, up to the caller's.
  const orphans = spans.filter(({ parentSpanId }) => !ids.has(parentSpanId));
  expect(orphans.map(({ parentSpanId }) => parentSpanId)).toEqual(["b7ad6b7169203331"]);
  expect(known(ids.get(parentId!)!)).toBe("delivery: POST webhook");
  expect(known(ids.get(ids.get(parentId!)!.parentSpanId)!)).toBe("delivery: process response.completed");
  expect(await lineAbout("gateway", requestId)).toMatchObject({ trace_id: traceId });
});

test("a defect is 500 without internals outside, and with its stack under the request's id inside", async () => {
  await databases.query("survey", "ALTER TABLE pages RENAME TO pages_away");
  const requestId = "request-with-a-defect";
  const answer = await api.call("POST", "/surveys", {
    body: { name: "Defect" },
    headers: { "x-request-id": requestId },
  });
  await databases.query("survey", "ALTER TABLE pages_away RENAME TO pages");
  expectRefusal(answer, 500, "internal_error", {});
  expect(answer.headers.get("x-request-id")).toBe(requestId);
  expect(await lineAbout("gateway", requestId)).toMatchObject({ level: expect.any(String) });
  expect(await lineAbout("survey", requestId)).toMatchObject({
    level: "error",
    err: { stack: expect.stringMatching(/\bat .+:\d+:\d+/) },
  });
});

test("an outage is a warning under the request's id, in the gateway and in the service", async () => {
  const requestId = "request-in-an-outage";
  const request = { body: { name: "Outage" }, headers: { "x-request-id": requestId } };
  // No caller can be looked up meanwhile.
  await using known = await clientWithCachedToken(demo);
  const answer = await whileAway(demo.system, ["postgres"], () => known.call("POST", "/surveys", request));
  expectRefusal(answer, 503, "service_unavailable", {});
  await lineAbout("gateway", requestId);
  expect(await lineAbout("survey", requestId)).toMatchObject({ level: "warn" });
});

test("no span holds a secret, an address, a query or SQL", async () => {
  expect(collector.spans.length).toBeGreaterThan(50);
  const written = JSON.stringify(collector.spans.map(({ name, attributes }) => ({ name, attributes })));
  const { receiver, system } = demo;
  const addresses = ["127.0.0.1", "localhost", receiver.url, system.local.baseUrl, "hunter2", "example.org"];
  for (const secret of [...secrets, ...addresses, "Hook", "noted"]) {
    expect(written.includes(secret), `a span holds ${secret}`).toBe(false);
  }
  expect(written).not.toMatch(/whsec_|cvs_(live|test)_|\?|SELECT|INSERT/);
});

test("every line of every process is JSON with level, time and service", async () => {
  for (const name of processes) {
    const lines = await linesOf(name);
    expect(lines.length, name).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).toMatchObject({
        level: expect.stringMatching(/^(trace|debug|info|warn|error|fatal)$/),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        service: name,
      });
    }
  }
});

test("no log and no mail holds a token, secret, password or key", async () => {
  expect(secrets.length).toBeGreaterThan(15);
  const files = await readdir(demo.dataDir, { recursive: true, withFileTypes: true });
  const written = files.filter((file) => file.isFile() && /\/(logs|mail)(\/|$)/.test(file.parentPath));
  expect(written.length).toBeGreaterThanOrEqual(processes.length);
  for (const { parentPath, name } of written) {
    const text = await readFile(join(parentPath, name), "utf8");
    for (const secret of secrets) expect(text.includes(secret), `${name} holds ${secret}`).toBe(false);
    expect(text, name).not.toMatch(/whsec_[A-Za-z0-9+/]{8}|cvs_(live|test)_[A-Za-z0-9]{8}/);
  }
});
