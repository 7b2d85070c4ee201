import { fastify, type FastifyInstance, type FastifyRequest } from "fastify";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callRoute, type CallOptions } from "./call-route.ts";

let app: FastifyInstance;
let closed = Promise.withResolvers<boolean>();
beforeAll(async () => {
  app = fastify({ trustProxy: "192.0.2.1" });
  app.post("/echo", (request) => ({ ip: request.ip, headers: request.headers, body: request.body }));
  app.get("/long", (_request, reply) => {
    reply.raw.once("close", () => closed.resolve(reply.raw.writableFinished));
    reply.hijack();
    reply.raw.write("x".repeat(100));
  });
  await app.ready();
});
afterAll(() => app.close());

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const caller = {
  id: "request",
  trace: null,
  socket: { remoteAddress: "192.0.2.1" },
  headers: { host: "api.example.org", "x-forwarded-for": "198.51.100.7", cookie: "secret", traceparent: "sent" },
} as unknown as FastifyRequest;
const options = (more: Partial<CallOptions> = {}): CallOptions => ({
  passedOn: ["x-forwarded-for", "authorization"],
  signal: new AbortController().signal,
  mostBytes: 10_000,
  ...more,
});
const long = { method: "GET", path: "/long", headers: {} };

test("a route sees the caller's address, the headers that are passed on, and the request's id", async () => {
  const request = { method: "POST", path: "/echo", headers: { "content-type": "application/json" }, body: '{"a":1}' };
  const { status, text } = await callRoute(app, caller, request, options());
  expect(status).toBe(200);
  const { ip, headers, body } = JSON.parse(text!);
  expect({ ip, body }).toEqual({ ip: "198.51.100.7", body: { a: 1 } });
  expect(headers).toEqual({
    connection: "close",
    "content-length": "7",
    "content-type": "application/json",
    host: "api.example.org",
    traceparent: "sent",
    "x-forwarded-for": "198.51.100.7",
    "x-request-id": "request",
  });
  const traced = { ...caller, trace: { traceparent } } as unknown as FastifyRequest;
  const inTrace = await callRoute(app, traced, request, options());
  expect(JSON.parse(inTrace.text!).headers.traceparent).toBe(traceparent);
});

test("an answer beyond the limit is not read, and its route is ended", async () => {
  closed = Promise.withResolvers();
  const { text } = await callRoute(app, caller, long, options({ mostBytes: 99 }));
  expect(text).toBeUndefined();
  expect(await closed.promise).toBe(false);
});

test("a caller that leaves ends the route", async () => {
  closed = Promise.withResolvers();
  const left = new AbortController();
  const arrived = once(app.server, "request");
  const call = callRoute(app, caller, long, options({ signal: left.signal }));
  await arrived;
  left.abort();
  await expect(call).rejects.toThrow(/abort/i);
  expect(await closed.promise).toBe(false);
  await expect(callRoute(app, caller, long, options({ signal: left.signal }))).rejects.toThrow(/abort/i);
});
