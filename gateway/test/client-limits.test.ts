import { fastify } from "fastify";
import { expect, test } from "vitest";
import { registerRouteGuards } from "../src/plugins/guards/route-guards.ts";
import { declareRequestState } from "../src/plugins/request-state.ts";
import type { GatewayContext } from "../src/context.ts";
import type { Api } from "../src/routes/api.ts";
import { registerErrorHandlers } from "../src/plugins/errors/errors.ts";
import { rateLimitGuards } from "../src/plugins/rate-limits/rate-limit-guard.ts";
import { testConfig } from "./start-edge.ts";
import { createLogger, createMetrics } from "@canvass/telemetry";

const services = ["token", "survey", "response", "distribution", "webhook", "delivery"] as const;
const urls = Object.fromEntries(services.map((name) => [name, "http://127.0.0.1:1"])) as Record<
  (typeof services)[number],
  string
>;

/** Routes of a respondent's page, without a service behind them. */
async function publicRoutes(limit: "links" | "respondents" | "reads", quota: number, metrics = createMetrics("test")) {
  const config = { ...testConfig({ urls }), CANVASS_RATE_LIMIT_LINKS: quota, CANVASS_RATE_LIMIT_RESPONDENTS: quota };
  const log = createLogger({ service: "test", level: "silent", pretty: false });
  const context = { config, log, now: () => new Date(), metrics } as GatewayContext;
  const app = fastify({ trustProxy: true });
  declareRequestState(app);
  registerErrorHandlers(app, context);
  await app.register(async (api: Api) => {
    registerRouteGuards(api, context, rateLimitGuards(context));
    api.get("/links/:code", { config: { scope: "public", limit } }, async () => "link");
    api.post("/links/:code/respondents", { config: { scope: "public", limit } }, async () => "respondent");
  });
  return async (method: "GET" | "POST", url: string, address: string, token = "") => {
    const headers = { "x-forwarded-for": address, ...(token && { "x-respondent-token": token }) };
    return (await app.inject({ method, url, headers })).statusCode;
  };
}

test("a public route that declares its limit is counted by client address and link, over all of the link's routes", async () => {
  const call = await publicRoutes("links", 2);
  expect(await call("GET", "/links/one", "192.0.2.1")).toBe(200);
  expect(await call("POST", "/links/one/respondents", "192.0.2.1")).toBe(200);
  expect(await call("GET", "/links/one", "192.0.2.1")).toBe(429);
  expect(await call("GET", "/links/two", "192.0.2.1")).toBe(200);
  expect(await call("GET", "/links/one", "192.0.2.2")).toBe(200);
  expect(await call("GET", `/links/${"x".repeat(90)}1`, "2001:db8::1")).toBe(200);
  expect(await call("GET", `/links/${"x".repeat(90)}2`, "2001:db8::2")).toBe(200);
  expect(await call("GET", `/links/${"x".repeat(90)}3`, "2001:db8::3")).toBe(429);
});

test("calls of sessions are counted by session, wherever they come from: a room behind one address shares none", async () => {
  const call = await publicRoutes("respondents", 2);
  for (const token of ["ada", "bob", "eve"]) {
    for (const status of [200, 200, 429]) expect(await call("GET", "/links/one", "192.0.2.1", token)).toBe(status);
    expect(await call("GET", "/links/one", "192.0.2.9", token)).toBe(429);
  }
});

test("a public route that would be counted by a token stops the start", async () => {
  await expect(publicRoutes("reads", 2)).rejects.toThrow("cannot be counted by the token");
});

test("refusals are counted by limit", async () => {
  const metrics = createMetrics("test");
  const call = await publicRoutes("links", 1, metrics);
  for (const status of [200, 429, 429]) expect(await call("GET", "/links/one", "192.0.2.1")).toBe(status);
  expect(await metrics.metrics()).toContain('canvass_rate_limited_requests_total{limit="links",service="test"} 2');
});
