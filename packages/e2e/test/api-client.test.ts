import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { anyFreePort } from "@canvass/dev-env/servers";
import { afterEach, expect, test } from "vitest";
import { createApiClient, type ApiClient } from "../src/index.ts";

interface Given {
  status: number;
  code?: string;
  retryAfter?: number;
}

let server: Server;
let api: ApiClient;
const received: IncomingMessage[] = [];
afterEach(async () => {
  received.length = 0;
  await api[Symbol.asyncDispose]();
  server.close();
});

/** A server that gives these answers in turn, the last for ever. */
async function respondWith(...answers: Given[]): Promise<void> {
  server = createServer((request, response) => {
    const { status, code, retryAfter } = answers[Math.min(received.push(request), answers.length) - 1]!;
    response.statusCode = status;
    if (retryAfter !== undefined) response.setHeader("retry-after", retryAfter);
    response.end(JSON.stringify({ success: status < 400, data: {}, ...(code && { error: { code } }) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  api = createApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "token");
}

const keys = () => received.map(({ headers }) => headers["idempotency-key"]);

test.each<[string, Given]>([
  ["503", { status: 503, code: "service_unavailable", retryAfter: 0 }],
  ["503 without a time", { status: 503, code: "service_unavailable" }],
  ["504", { status: 504, code: "deadline_exceeded" }],
  ["429", { status: 429, code: "rate_limited", retryAfter: 0 }],
  ["a write under way", { status: 409, code: "idempotency_in_progress", retryAfter: 0 }],
])("%s is repeated until the answer is final, a write under one key", async (_what, passing) => {
  await respondWith(passing, passing, { status: 201 });
  expect((await api.post("/surveys", {})).status).toBe(201);
  expect(keys()).toEqual(Array(3).fill(keys()[0]));
  expect(keys()[0]).toMatch(/^[0-9a-f-]{36}$/);
  received.length = 0;
  expect((await api.get("/surveys")).status).toBe(201);
  expect(keys()).toEqual(Array(3).fill(undefined));
});

test("a repetition waits as long as it is asked to", async () => {
  await respondWith({ status: 503, code: "service_unavailable", retryAfter: 1 }, { status: 200 });
  const begun = performance.now();
  await api.get("/surveys");
  expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
});

test("a key of the caller's own stays", async () => {
  await respondWith({ status: 200 });
  await api.post("/surveys", {}, { "idempotency-key": "mine" });
  expect(keys()).toEqual(["mine"]);
});

test.each<Given>([
  { status: 500, code: "internal_error" },
  { status: 422, code: "validation_failed" },
  { status: 409, code: "nothing_to_publish" },
])("$code is final", async (given) => {
  await respondWith(given);
  await expect(api.post("/surveys", {})).rejects.toThrow(String(given.status));
  expect(received).toHaveLength(1);
});

test("what asks for more patience than there is fails with its answer", async () => {
  await respondWith({ status: 429, code: "rate_limited", retryAfter: 3_600 });
  await expect(api.get("/surveys")).rejects.toThrow("answered 429");
});

test("a call is sent once, and so is everything of a client that measures", async () => {
  await respondWith({ status: 503, code: "service_unavailable", retryAfter: 0 });
  expect((await api.call("POST", "/surveys", { body: {} })).status).toBe(503);
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using measuring = createApiClient(address, "token", { repeats: false });
  await expect(measuring.post("/surveys", {})).rejects.toThrow("answered 503");
  expect(keys()).toEqual([undefined, undefined]);
});

test("a process that does not listen yet is asked again", async () => {
  const port = await anyFreePort();
  api = createApiClient(`http://127.0.0.1:${port}`, "token");
  server = createServer((_request, response) => response.end("{}"));
  const asked = api.get("/surveys");
  await expect(api.call("GET", "/surveys")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  server.listen(port, "127.0.0.1");
  expect((await asked).status).toBe(200);
});
