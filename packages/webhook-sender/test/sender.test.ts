import { startSeverableLink, waitFor } from "@canvass/testing";
import { testReceiver, type ReceiverResponse } from "@canvass/testing/https-receiver";
import { Webhook } from "standardwebhooks";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createWebhookSender, type WebhookMessage, type WebhookSenderOptions } from "../src/index.ts";

const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;

const receiver = await sharedByFile(testReceiver({ names: ["localhost", "127.0.0.1", "hooks.example"] }));
beforeEach(() => {
  receiver.answer(200);
  receiver.requests.length = 0;
});
afterEach(() => vi.useRealTimers());

const sender = (options: WebhookSenderOptions = {}) =>
  createWebhookSender({ allowedCidrs: ["127.0.0.0/8"], extraCa: receiver.ca, shareLookupsMs: 0, ...options });

const message = (changes: Partial<WebhookMessage> = {}): WebhookMessage => ({
  url: `${receiver.url}/hook?to=you`,
  webhookId: "evt1",
  timestamp: Math.floor(Date.now() / 1000),
  body: '{"type":"response.completed","data":{"name":"Zoë"}}',
  secrets: [secret],
  ...changes,
});

test("a message arrives as the specification describes it, and verifies", async () => {
  await using webhooks = sender();
  const result = await webhooks.send(message());
  expect(result).toMatchObject({ outcome: "success", statusCode: 200, responseBody: "" });
  const [request] = receiver.requests;
  expect(request).toMatchObject({ method: "POST", path: "/hook?to=you", body: message().body });
  const { headers } = request!;
  expect(headers).toMatchObject({
    host: `127.0.0.1:${receiver.port}`,
    "content-type": "application/json",
    "user-agent": "Canvass-Webhooks/1",
    "webhook-id": "evt1",
  });
  expect(headers).not.toHaveProperty("accept-encoding");
  expect(new Webhook(secret).verify(request!.body, headers as Record<string, string>)).toEqual(
    JSON.parse(message().body),
  );
});

describe("every answer has its outcome", () => {
  const answers: [ReceiverResponse, string, number | undefined][] = [
    [204, "success", 204],
    [299, "success", 299],
    [301, "http_error", 301],
    [404, "http_error", 404],
    [500, "http_error", 500],
    [410, "gone", 410],
    ["close", "connection_error", undefined],
    ["gibberish", "connection_error", undefined],
    ["flood", "success", 200],
  ];
  test.each(answers)("%s: %s", async (answer, outcome, statusCode) => {
    await using webhooks = sender();
    receiver.answer(answer);
    expect(await webhooks.send(message())).toMatchObject({ outcome, statusCode });
    expect(receiver.requests).toHaveLength(1);
  });

  test("hang: no_response, when its time is over", async () => {
    await using webhooks = sender({ budgetMs: 10_000 });
    // Connects while time passes: the client library has timers of its own.
    await webhooks.send(message());
    receiver.answer("hang");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const sending = webhooks.send(message());
    await expect.poll(() => receiver.requests, { interval: 0 }).toHaveLength(2);
    vi.advanceTimersByTime(10_000);
    expect(await sending).toMatchObject({ outcome: "no_response", statusCode: undefined });
    expect(receiver.requests).toHaveLength(2);
  });

  test("drip: success, when its time is over", async () => {
    await using webhooks = sender();
    await webhooks.send(message());
    receiver.answer("drip");
    expect(await webhooks.send(message({ budgetMs: 1_500 }))).toMatchObject({ outcome: "success", statusCode: 200 });
    expect(receiver.requests).toHaveLength(2);
  });
});

test("a redirect is not followed, not even to the same server", async () => {
  await using webhooks = sender();
  receiver.answer({ status: 307, headers: { location: `${receiver.url}/elsewhere` } });
  expect(await webhooks.send(message())).toMatchObject({ outcome: "http_error", statusCode: 307 });
  expect(receiver.requests.map(({ path }) => path)).toEqual(["/hook?to=you"]);
});

test("256 bytes of the answer are kept, uncompressed and storable", async () => {
  await using webhooks = sender();
  receiver.answer({ status: 500, body: `\0oops ${"x".repeat(1000)}`, headers: { "content-encoding": "gzip" } });
  const { responseBody } = await webhooks.send(message());
  expect(responseBody).toBe(`\uFFFDoops ${"x".repeat(250)}`);
});

test("headers of 20 KB are no reason to send again", async () => {
  await using webhooks = sender();
  receiver.answer({ status: 200, headers: { "x-large": "x".repeat(20_000) } });
  expect(await webhooks.send(message())).toMatchObject({ outcome: "success", statusCode: 200 });
});

test("connections are kept for the next message, and one that was closed meanwhile costs no attempt", async () => {
  await using webhooks = sender();
  await using proxy = await startSeverableLink({ host: "127.0.0.1", port: receiver.port });
  const before = receiver.connections;
  const url = `https://127.0.0.1:${proxy.port}/hook`;
  for (let i = 0; i < 5; i++) expect(await webhooks.send(message({ url }))).toMatchObject({ outcome: "success" });
  expect(receiver.connections - before).toBe(1);
  for (let i = 0; i < 20; i++) {
    proxy.hangUp();
    expect(await webhooks.send(message({ url }))).toMatchObject({ outcome: "success" });
  }
  expect(receiver.connections - before).toBe(21);
  expect(receiver.requests).toHaveLength(25);
});

test("an endpoint that hangs takes no kept connection from another at its host", async () => {
  await using webhooks = sender();
  const before = receiver.connections;
  await webhooks.send(message());
  receiver.answer(({ path }) => (path === "/hangs" ? "hang" : 200));
  void webhooks.send(message({ url: `${receiver.url}/hangs` }));
  await waitFor(() => receiver.requests.length === 2, { describe: "the request that hangs" });
  expect(receiver.connections - before).toBe(2);
  expect(await webhooks.send(message())).toMatchObject({ outcome: "success" });
  expect(receiver.connections - before).toBe(2);
});

test("a request whose new connection breaks is written once", async () => {
  await using webhooks = sender();
  receiver.answer("close");
  expect(await webhooks.send(message())).toMatchObject({ outcome: "connection_error", reason: "reset" });
  expect(receiver.requests).toHaveLength(1);
});

test("a server that ends every connection is served by new ones", async () => {
  await using webhooks = sender();
  receiver.answer({ status: 200, headers: { connection: "close" } });
  const results = await Promise.all(Array.from({ length: 20 }, () => webhooks.send(message())));
  const again = await Promise.all(Array.from({ length: 20 }, () => webhooks.send(message())));
  expect([...results, ...again].every(({ outcome }) => outcome === "success")).toBe(true);
});

describe("addresses", () => {
  const named = (port: number) => message({ url: `https://hooks.example:${port}/hook` });

  test("a port that is not open is blocked, also on a public address", async () => {
    await using webhooks = sender({ allowedCidrs: [], resolve: async () => ["8.8.8.8"] });
    const result = await webhooks.send(message({ url: "https://hooks.example:22/" }));
    expect(result).toMatchObject({ outcome: "blocked" });
  });

  test.each([
    ["refused", ["must use port 443"], async () => ["8.8.8.8"]],
    ["refused", ["must use port 443", "must lead to a public internet address"], async () => ["8.8.8.8", "10.0.0.1"]],
    ["unresolved", ["must use port 443", "has a host name that does not resolve"], async () => []],
    [
      "unresolved",
      ["must use port 443", expect.stringMatching(/servers did not answer/)],
      () => new Promise<never>(() => {}),
    ],
  ])("a URL is %s with everything that is in its way: %j", async (state, problems, resolve) => {
    await using webhooks = sender({ allowedCidrs: [], resolve, budgetMs: 100 });
    expect(await webhooks.checkDestination(new URL("https://hooks.example:8443/"))).toMatchObject({ state, problems });
  });

  test("a URL other than https is blocked", async () => {
    await using webhooks = sender();
    for (const url of [receiver.url.replace("https", "http"), "nonsense", "file:///etc/passwd"]) {
      expect(await webhooks.send(message({ url }))).toMatchObject({ outcome: "blocked" });
    }
  });

  test("a name that does not resolve, or not in time, is a connection error", async () => {
    await using lost = sender({ resolve: () => Promise.reject(new Error("NXDOMAIN")) });
    expect(await lost.send(named(443))).toMatchObject({
      outcome: "connection_error",
      reason: "dns_failed",
      detail: "NXDOMAIN",
    });
    await using empty = sender({ resolve: async () => [] });
    expect(await empty.send(named(443))).toMatchObject({ outcome: "connection_error" });
    await using slow = sender({ resolve: () => new Promise(() => undefined), budgetMs: 100 });
    expect(await slow.send(named(443))).toMatchObject({ outcome: "connection_error" });
  });

  test("a message with little time stops waiting for a look-up, which goes on for others", async () => {
    const looked = Promise.withResolvers<string[]>();
    await using webhooks = sender({ resolve: () => looked.promise });
    const hurried = webhooks.send({ ...named(receiver.port), budgetMs: 50 });
    const patient = webhooks.send(named(receiver.port));
    expect(await hurried).toMatchObject({ outcome: "connection_error", reason: "dns_failed" });
    looked.resolve(["127.0.0.1"]);
    expect(await patient).toMatchObject({ outcome: "success" });
  });

  test("a name that turns private between two messages is blocked, though a connection is still open", async () => {
    let addresses = ["127.0.0.1"];
    await using webhooks = sender({ resolve: async () => addresses });
    expect(await webhooks.send(named(receiver.port))).toMatchObject({ outcome: "success" });
    addresses = ["127.0.0.1", "10.0.0.1"];
    expect(await webhooks.send(named(receiver.port))).toMatchObject({ outcome: "blocked" });
    addresses = ["127.0.0.2"];
    const before = receiver.connections;
    await webhooks.send(named(receiver.port));
    expect(receiver.connections).toBe(before);
    expect(receiver.requests).toHaveLength(1);
  });

  test("the next address is tried when one takes no connection", async () => {
    await using webhooks = sender({ resolve: async () => ["127.0.0.9", "127.0.0.1"] });
    expect(await webhooks.send(named(receiver.port))).toMatchObject({ outcome: "success" });
    expect(receiver.requests).toHaveLength(1);
  });
});

describe("certificates", () => {
  test("an unknown authority is a connection error", async () => {
    await using webhooks = sender({ extraCa: undefined });
    const result = await webhooks.send(message());
    expect(result).toMatchObject({ outcome: "connection_error" });
    expect(result.detail).toMatch(/certificate/);
  });

  test("a certificate for another name is a connection error", async () => {
    await using webhooks = sender({ resolve: async () => ["127.0.0.1"] });
    const result = await webhooks.send(message({ url: `https://other.example:${receiver.port}/` }));
    expect(result).toMatchObject({ outcome: "connection_error" });
    expect(receiver.requests).toHaveLength(0);
  });
});
