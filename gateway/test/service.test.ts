import { errorCatalogue } from "@canvass/errors";
import { fastify } from "fastify";
import { createMetrics } from "@canvass/telemetry";
import { waitFor } from "@canvass/testing";
import { expect, test, vi } from "vitest";
import { readGatewayConfig } from "../src/config.ts";
import type { GatewayContext } from "../src/context.ts";
import { createIdentityCache } from "../src/plugins/authentication/identity-cache.ts";
import { rateLimitGuards } from "../src/plugins/rate-limits/rate-limit-guard.ts";
import { registerRouteGuards } from "../src/plugins/guards/route-guards.ts";
import { startFakeServices } from "./fake-services.ts";
import { startEdge, testConfig, type Edge } from "./start-edge.ts";

/** Asks until all but these are well: the first connections may take longer than a check of health waits. */
function healthBut(ill: string[], edge: Edge, passASecond = () => {}) {
  const call = async () => {
    const answer = await edge.call("/health", { token: null });
    const found = Object.entries(answer.body.data.checks).filter(([, check]) => check !== "ok");
    if (found.every(([name]) => ill.includes(name))) return answer;
    passASecond();
    return undefined;
  };
  return waitFor(call, { describe: "a report of health" });
}

test("health names every service and the database, without a token", async () => {
  await using edge = await startEdge();
  const { status, body } = await healthBut([], edge);
  expect(status).toBe(200);
  const services = { token: "ok", survey: "ok", response: "ok", distribution: "ok", webhook: "ok", delivery: "ok" };
  expect(body.data).toEqual({ status: "ok", checks: { ...services, database: "ok" } });
});

test("health is a 503 that names a service that is away or has lost its database", async () => {
  const clock = { now: Date.now() };
  await using edge = await startEdge(
    { checks: { survey: { database: async () => false } } },
    { now: () => new Date(clock.now) },
  );
  const passASecond = () => void (clock.now += 1_000);
  const lost = await healthBut(["survey", "database"], edge, passASecond);
  expect(lost.status).toBe(503);
  expect(lost.headers.get("retry-after")).toBe("1");
  expect(lost.body).toMatchObject({
    success: false,
    error: { code: "service_unavailable", details: { status: "unavailable" } },
    data: { status: "unavailable", checks: { survey: "unavailable", database: "unavailable", token: "ok" } },
  });
  await edge.services.stop("distribution");
  expect((await edge.call("/health")).body.data.checks.distribution).toBe("ok");
  passASecond();
  expect((await edge.call("/health")).body.data.checks.distribution).toBe("unavailable");
});

test("health is reported anew when the clock was set back", async () => {
  const clock = { now: Date.now() };
  await using edge = await startEdge({}, { now: () => new Date(clock.now) });
  await healthBut([], edge, () => void (clock.now += 1_000));
  await edge.services.stop("distribution");
  clock.now -= 3_600_000;
  expect((await edge.call("/health")).body.data.checks.distribution).toBe("unavailable");
});

test("a service whose requests keep failing counts as missing, although its health is good", async () => {
  const clock = { now: Date.now() };
  const listSurveys = () => new Promise<never>(() => undefined);
  await using edge = await startEdge(
    { survey: { listSurveys } },
    { now: () => new Date(clock.now), config: { CANVASS_REQUEST_TIMEOUT_MS: 1_500 } },
  );
  const passASecond = () => void (clock.now += 1_000);
  expect((await healthBut([], edge, passASecond)).status).toBe(200);
  const token = edge.services.issueToken(["surveys:read"]).value;
  const late = await Promise.all(Array.from({ length: 6 }, () => edge.call("/surveys", { token })));
  for (const { status, body, headers } of late) {
    expect([status, body.error.code, headers.get("retry-after")]).toEqual([504, "deadline_exceeded", "1"]);
  }
  passASecond();
  const { status, body } = await edge.call("/health", { token: null });
  expect([status, body.data.checks.survey, body.data.checks.database]).toEqual([503, "unavailable", "ok"]);
});

test("for the drain delay a stopping gateway is not ready and still answers", async () => {
  const edge = await startEdge({}, { config: { CANVASS_DRAIN_DELAY_MS: 10_000 } });
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    const stopping = edge[Symbol.asyncDispose]();
    // Without a pause, which would pass the time.
    await expect.poll(async () => (await fetch(`${edge.opsUrl}/readyz`)).status, { interval: 0 }).toBe(503);
    await vi.advanceTimersByTimeAsync(9_000);
    expect((await edge.call("/surveys", { token: null })).status).toBe(401);
    await vi.advanceTimersByTimeAsync(1_000);
    await stopping;
  } finally {
    vi.useRealTimers();
  }
  await expect(edge.call("/surveys", { token: null })).rejects.toThrow("fetch failed");
});

test("every error code is listed for any token", async () => {
  await using edge = await startEdge();
  const { body } = await edge.call("/errors", { token: edge.services.issueToken(["audit:read"]).value });
  expect(body.data).toHaveLength(Object.keys(errorCatalogue).length);
  expect(body.data).toContainEqual({ code: "survey_not_found", ...errorCatalogue.survey_not_found });
  expect((await edge.call("/errors", { token: null })).status).toBe(401);
});

test("the reference page takes everything from here, and runs no script but its own", async () => {
  await using edge = await startEdge();
  const redirect = await fetch(`${edge.url}/`, { redirect: "manual" });
  expect([redirect.status, redirect.headers.get("location")]).toEqual([302, "/docs/"]);
  const pages = await Promise.all([0, 1].map(() => fetch(`${edge.url}/docs/`)));
  const [policy, other] = pages.map(({ headers }) => headers.get("content-security-policy")!);
  const html = await pages[0]!.text();
  const nonce = /'nonce-([^']+)'/.exec(policy!)?.[1];
  expect(html.match(/<script[^>]*>/g)!.every((tag) => tag.includes(`nonce="${nonce}"`))).toBe(true);
  expect(policy).toContain("connect-src 'self'");
  expect(other).not.toBe(policy);
  expect(html).not.toMatch(/https?:\/\//);
  const script = await fetch(new URL(/<script[^>]* src="([^"]+)"/.exec(html)![1]!, `${edge.url}/docs/`));
  expect(script.status).toBe(200);
  expect(script.headers.get("content-type")).toContain("javascript");
  const icon = await fetch(new URL(/<link rel="icon" href="([^"]+)"/.exec(html)![1]!, edge.url));
  expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
});

test("only the page's script and icon may be cached, and a known script gets a 304", async () => {
  await using edge = await startEdge({}, { config: { CANVASS_RATE_LIMITS: "off" } });
  const call = (path: string, headers = {}) => fetch(edge.url + path, { redirect: "manual", headers });
  for (const path of ["/docs", "/docs/", "/docs/nothing", "/docs/js/nothing.js", "/", "/api/v1/docs"]) {
    expect((await call(path)).headers.get("cache-control"), `of ${path}`).toBe("no-store");
  }
  const script = await call("/docs/js/scalar.js");
  const etag = script.headers.get("etag")!;
  const again = await call("/docs/js/scalar.js", { "if-none-match": etag });
  expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""]);
  const head = await fetch(`${edge.url}/docs/js/scalar.js`, { method: "HEAD", headers: { "if-none-match": etag } });
  expect(head.status).toBe(304);
  for (const { headers } of [script, again, head]) expect(headers.get("cache-control")).toBe("public, max-age=3600");
});

test("the reference page is ready for a token, and calls the address it came from", async () => {
  await using edge = await startEdge({}, { config: { CANVASS_PUBLIC_URL: "https://surveys.example.org" } });
  const html = await (await fetch(`${edge.url}/docs/`)).text();
  const [, configuration] = /createApiReference\('#app', (\{.*\})\)/s.exec(html)!;
  expect(JSON.parse(configuration!)).toMatchObject({
    servers: [{ url: "/" }],
    authentication: { preferredSecurityScheme: "bearer" },
  });
});

test("the reference is also found below the API's address", async () => {
  await using edge = await startEdge();
  const { status, headers } = await edge.call("/docs", { token: null });
  expect([status, headers.get("location")]).toEqual([302, "/docs/"]);
});

test("requests are measured by route template, never by path", async () => {
  await using edge = await startEdge();
  await edge.call("/surveys/short");
  await edge.call("/no/such/thing");
  const metrics = await (await fetch(`${edge.opsUrl}/metrics`)).text();
  expect(metrics).toContain('http_route="/api/v1/surveys/:surveyId"');
  expect(metrics).toMatch(/http_server_request_duration_seconds_count\{[^}]*http_response_status_code="404"/);
  expect(metrics).not.toContain("short");
  expect(metrics).not.toContain("/no/such/thing");
});

test("a route that does not say who may use it stops the start", async () => {
  await using services = await startFakeServices();
  const config = testConfig(services);
  const now = () => new Date();
  const identities = createIdentityCache({ now, lookUp: () => Promise.reject(new Error("not asked")) });
  const app = fastify();
  const context = { config, now, identities, metrics: createMetrics("test") } as GatewayContext;
  registerRouteGuards(app, context, rateLimitGuards(context));
  expect(() => app.get("/open", async () => "hello")).toThrow("GET /open does not declare its scope");
});

test("settings that are wrong are all named at once", () => {
  const environment = { CANVASS_PORT: "http", CANVASS_RATE_LIMITS: "maybe", CANVASS_SURVEY_URL: "localhost:1" };
  expect(() => readGatewayConfig(environment)).toThrow(
    /CANVASS_PORT.*CANVASS_OPS_PORT.*CANVASS_PEER_KEY.*CANVASS_TOKEN_URL.*CANVASS_SURVEY_URL.*CANVASS_RATE_LIMITS/,
  );
});

test("a stopping gateway answers requests that are under way, and takes no others", async () => {
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const edge = await startEdge({
    survey: {
      listSurveys: async () => {
        entered.resolve();
        await release.promise;
        return {};
      },
    },
  });
  const answer = edge.call("/surveys");
  await entered.promise;
  const stopped = edge[Symbol.asyncDispose]();
  release.resolve();
  expect((await answer).status).toBe(200);
  await stopped;
  await expect(fetch(edge.baseUrl)).rejects.toThrow("fetch failed");
});
