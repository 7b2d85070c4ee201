import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createHttpApi } from "./http-api.ts";

type Scripted = { status: number; headers?: Record<string, string>; body?: unknown };

/** An API that sends the scripted responses in order and repeats the last one. */
async function scriptedApi(answers: Scripted[]) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const { status, headers, body } = answers[Math.min(requests.push(request), answers.length) - 1]!;
    request.resume().on("end", () => response.writeHead(status, headers).end(JSON.stringify(body ?? {})));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const waits: number[] = [];
  const api = createHttpApi({ baseUrl, token: "cvs_live_x" }, async (seconds, stop) => {
    stop.throwIfAborted();
    waits.push(seconds);
  });
  const close = () => server.close().closeAllConnections();
  return { api, requests, waits, [Symbol.dispose]: close };
}

const limited = { status: 429, headers: { "retry-after": "7" } };
const busy = {
  status: 503,
  headers: { "retry-after": "1" },
  body: { error: { message: "Busy.", suggestion: "Wait." } },
};
const stored = { status: 200, body: { data: { stored: 1 } } };
const never = new AbortController().signal;

test("waits as long as a rate limit asks, however often, and sends the token", async () => {
  using scripted = await scriptedApi([...Array.from({ length: 20 }, () => limited), stored]);
  expect(await scripted.api.post("/x", {}, never)).toEqual({ stored: 1 });
  expect(scripted.waits).toEqual(Array.from({ length: 20 }, () => 7));
  expect(scripted.requests[0]!.headers.authorization).toBe("Bearer cvs_live_x");
});

test("tries a busy API again a few times, then passes its words on", async () => {
  using scripted = await scriptedApi([busy]);
  await expect(scripted.api.post("/x", {}, never)).rejects.toThrow("Busy. Wait.");
  expect(scripted.waits).toEqual([1, 1, 1, 1, 1, 1, 1]);
});

test("a refusal is not repeated", async () => {
  using scripted = await scriptedApi([
    { status: 422, body: { error: { message: "The survey collects no answers.", suggestion: "Publish it." } } },
  ]);
  await expect(scripted.api.post("/x", {}, never)).rejects.toThrow("The survey collects no answers. Publish it.");
  expect(scripted.requests).toHaveLength(1);
});

test("a stop ends the waiting", async () => {
  using scripted = await scriptedApi([limited]);
  await expect(scripted.api.post("/x", {}, AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
});

test("a foreign or unreachable API is reported in one sentence", async () => {
  using scripted = await scriptedApi([{ status: 404, body: "hello" }]);
  await expect(scripted.api.get("/x")).rejects.toThrow("is not this API (status 404)");
  const nowhere = createHttpApi({ baseUrl: "http://127.0.0.1:1", token: "t" }, async () => {});
  await expect(nowhere.get("/x")).rejects.toThrow("The API at http://127.0.0.1:1 cannot be reached");
});
