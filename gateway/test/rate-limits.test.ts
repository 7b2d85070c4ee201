import { shortPath } from "./fuzz/resolve-references.ts";
import { parseList } from "structured-headers";
import { expect, test } from "vitest";
import { readGatewayConfig } from "../src/config.ts";
import { surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

test("every answer has the RateLimit fields, refusals included", async () => {
  const now = new Date();
  await using edge = await startEdge({}, { config: { CANVASS_RATE_LIMIT_READS: 3 }, now: () => now });
  const answers = [await edge.call("/errors"), await edge.call("/surveys/short"), await edge.call("/surveys?x=1")];
  answers.push(await edge.call("/errors"), await edge.call("/errors"));
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 422, 429, 429]);
  const fields = answers.map(({ headers }) => {
    const [[limit, members]] = parseList(headers.get("ratelimit")!) as never as [[string, Map<string, number>]];
    const [[policy, quota]] = parseList(headers.get("ratelimit-policy")!) as never as [[string, Map<string, number>]];
    expect([limit, policy, quota.get("q"), quota.get("w")]).toEqual(["reads", "reads", 3, 60]);
    expect(members.get("t")).toBe(60);
    return members.get("r");
  });
  expect(fields).toEqual([2, 1, 0, 0, 0]);
  const refused = answers[3]!;
  expect(refused.headers.get("retry-after")).toBe("60");
  expect(refused.body.error).toMatchObject({ code: "rate_limited", retryable: true });
});

test("each token and each kind of call has its own count, and a minute later it starts again", async () => {
  const clock = { now: Date.now() };
  const config = { CANVASS_RATE_LIMIT_READS: 1, CANVASS_RATE_LIMIT_WRITES: 1, CANVASS_RATE_LIMIT_SUBMISSIONS: 1 };
  await using edge = await startEdge({}, { config, now: () => new Date(clock.now) });
  const other = edge.services.issueToken(["full_access"]).value;
  const status = async (path: string, init?: Parameters<typeof edge.call>[1]) => (await edge.call(path, init)).status;
  expect(await status("/errors")).toBe(200);
  expect(await status("/errors")).toBe(429);
  expect(await status("/errors", { token: other })).toBe(200);
  expect(await status("/surveys", { method: "POST" })).toBe(400);
  expect(await status("/surveys", { method: "POST" })).toBe(429);
  expect(await status(`/response/surveys/${surveyId}`, { method: "POST" })).toBe(400);
  expect(await status(`/response/surveys/${surveyId}`, { method: "POST" })).toBe(429);
  expect(await status("/event-subscriptions/short")).toBe(403);
  clock.now += 60_000;
  expect(await status("/errors")).toBe(200);
});

test.each([
  ["GET", "/event-subscriptions?x", 300],
  ["POST", "/event-subscriptions", 30],
  ["GET", "/event-subscriptions/x", 300],
  ["PATCH", "/event-subscriptions/x", 60],
  ["DELETE", "/event-subscriptions/x", 60],
  ["POST", "/event-subscriptions/x/rotate-secret", 10],
  ["GET", "/event-subscriptions/x/deliveries", 300],
  ["POST", "/event-subscriptions/x/test", 10],
  ["POST", "/event-subscriptions/x/deliveries/y/redeliver", 60],
  ["GET", "/events?x", 300],
])("%s %s has the limit of contract 5.1: %i", async (method, path, limit) => {
  await using edge = await startEdge();
  const { headers } = await edge.call(path, { method });
  expect(headers.get("ratelimit-policy")).toMatch(new RegExp(`^"[a-zA-Z]+";q=${limit};w=60$`));
  expect(headers.get("ratelimit")).toContain(`r=${limit - 1};`);
});

test("each operation of the events area can have another limit, named after the operation", async () => {
  const others = { listSubscriptions: 1, createSubscription: 2, getSubscription: 3, deleteSubscription: 4 };
  const overrides = Object.entries({ ...others, listDeliveries: 5, listEvents: 6 }).map((each) => each.join("="));
  await using edge = await startEdge({}, { config: { CANVASS_RATE_LIMIT_OVERRIDES: overrides.join(",") } });
  const { paths } = (await edge.call("/openapi.json")).body;
  for (const override of overrides) {
    const [operationId, quota] = override.split("=");
    const [path, method] = Object.entries(paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).flatMap(([method, each]) => (each.operationId === operationId ? [path, method] : [])),
    );
    const { headers } = await edge.call(shortPath(path!), { method: method!.toUpperCase() });
    expect(headers.get("ratelimit-policy")).toBe(`"${operationId}";q=${quota};w=60`);
  }
});

test("a limit for an unknown operation is refused at the start, with the names of those that exist", () => {
  const read = () => readGatewayConfig({ CANVASS_RATE_LIMIT_OVERRIDES: "listEvent=600", CANVASS_PORT: "x" });
  expect(read).toThrow(
    /CANVASS_PORT .*CANVASS_RATE_LIMIT_OVERRIDES is not valid \(.*redeliver, listEvents; for example createSubscription=60,listEvents=600\)/,
  );
});

test("documents are counted by client address, over all of them", async () => {
  const config = { CANVASS_RATE_LIMIT_DOCUMENTS: 6, CANVASS_TRUSTED_PROXIES: "127.0.0.1" };
  await using edge = await startEdge({}, { config });
  const call = (path: string, address = "2001:db8::1") =>
    fetch(edge.url + path, { redirect: "manual", headers: { "x-forwarded-for": address } });
  const paths = ["/", "/docs", "/docs/", "/docs/js/scalar.js", "/api/v1/openapi.json", "/api/v1/docs"];
  const answers = [];
  for (const path of paths) answers.push(await call(path));
  expect(answers.map(({ status }) => status)).toEqual([302, 301, 200, 200, 200, 302]);
  expect(answers.map(({ headers }) => headers.get("ratelimit")!.slice(12, 16))).toEqual(
    [5, 4, 3, 2, 1, 0].map((left) => `r=${left};`),
  );
  for (const path of [...paths, "/favicon.svg"]) {
    const refused = await call(path, "2001:db8::2");
    expect([refused.status, ((await refused.json()) as { error: object }).error]).toMatchObject([
      429,
      { code: "rate_limited" },
    ]);
    expect(refused.headers.get("cache-control")).toBe("no-store");
  }
  expect((await call("/docs/", "2001:db8:0:1::1")).status).toBe(200);
});

test("health is exempt, and limits can be turned off", async () => {
  await using edge = await startEdge({}, { config: { CANVASS_RATE_LIMIT_READS: 1 } });
  for (let calls = 0; calls < 3; calls += 1) {
    const { status, headers } = await edge.call("/health");
    expect([status === 429, headers.get("ratelimit")]).toEqual([false, null]);
  }
  await using open = await startEdge({}, { config: { CANVASS_RATE_LIMITS: "off", CANVASS_RATE_LIMIT_READS: 1 } });
  for (let calls = 0; calls < 3; calls += 1) {
    const { status, headers } = await open.call("/errors");
    expect([status, headers.get("ratelimit")]).toEqual([200, null]);
  }
});
