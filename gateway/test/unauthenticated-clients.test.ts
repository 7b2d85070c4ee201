import { newTokenValue } from "@canvass/access";
import { expect, test } from "vitest";
import { startEdge, type Edge } from "./start-edge.ts";

const config = { CANVASS_RATE_LIMIT_UNAUTHENTICATED: 3, CANVASS_TRUSTED_PROXIES: "127.0.0.1" };
const from = (address: string) => ({ "x-forwarded-for": address });
const callUnauthenticated = (edge: Edge, address: string, token: string | null = newTokenValue(true)) =>
  edge.call("/errors", { token, headers: from(address) });

test("refusals without a token are bounded by client address, with the RateLimit fields", async () => {
  const now = new Date();
  await using edge = await startEdge({}, { config, now: () => now });
  const answers = [];
  for (let calls = 0; calls < 5; calls += 1) answers.push(await callUnauthenticated(edge, "192.0.2.1", null));
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429]);
  expect(answers[0]!.headers.get("ratelimit-policy")).toBe('"unauthenticated";q=3;w=60');
  expect(answers.map(({ headers }) => headers.get("ratelimit")!.slice(18, 22))).toEqual(["r=2;", "r=1;", ...rest]);
  expect(answers[3]!.headers.get("retry-after")).toBe("60");
  expect(answers[3]!.body.error).toMatchObject({ code: "rate_limited", details: { limit: 3, window_seconds: 60 } });
  // They cost no look-up, so other callers at that address are not limited, even with a new token.
  const token = edge.services.issueToken(["full_access"]).value;
  expect((await callUnauthenticated(edge, "192.0.2.1", token)).status).toBe(200);
});

const rest = ["r=0;", "r=0;", "r=0;"];

test("unknown tokens are looked up a limited number of times, one at a time or all at once", async () => {
  const clock = { now: Date.now() };
  await using edge = await startEdge({}, { config, now: () => new Date(clock.now), elapsed: () => clock.now });
  const known = edge.services.issueToken(["full_access"]).value;
  expect((await callUnauthenticated(edge, "192.0.2.1", known)).status).toBe(200);
  for (let calls = 0; calls < 3; calls += 1) expect((await callUnauthenticated(edge, "192.0.2.1")).status).toBe(401);
  const asked = edge.services.asked.length;
  const flood = await Promise.all(Array.from({ length: 20 }, () => callUnauthenticated(edge, "192.0.2.1")));
  expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([429]));
  expect(edge.services.asked).toHaveLength(asked);

  // Known callers stay valid, also when their identity is looked up again; others wait until the minute ends.
  clock.now += 30_000;
  expect((await callUnauthenticated(edge, "192.0.2.1", known)).status).toBe(200);
  expect(edge.services.asked).toHaveLength(asked + 1);
  const unknown = edge.services.issueToken(["full_access"]).value;
  const stopped = await callUnauthenticated(edge, "192.0.2.1", unknown);
  expect(stopped.status).toBe(429);
  expect(stopped.headers.get("ratelimit")).toBe('"unauthenticated";r=0;t=30');
  expect(stopped.headers.get("retry-after")).toBe("30");
  // Another client behind the same proxy.
  expect((await callUnauthenticated(edge, "192.0.2.2", unknown)).status).toBe(200);
  clock.now += 30_000;
  expect((await callUnauthenticated(edge, "192.0.2.1", edge.services.issueToken(["full_access"]).value)).status).toBe(
    200,
  );
});

test("a caller whose identity was dropped from the cache is still looked up", async () => {
  await using edge = await startEdge({ token: { revokeToken: async () => ({}) } }, { config });
  const owner = edge.services.issueToken(["full_access"]);
  expect((await callUnauthenticated(edge, "192.0.2.1", owner.value)).status).toBe(200);
  for (let calls = 0; calls < 3; calls += 1) await callUnauthenticated(edge, "192.0.2.1");
  expect((await edge.call(`/tokens/${owner.tokenId}`, { method: "DELETE", token: owner.value })).status).toBe(200);
  expect((await callUnauthenticated(edge, "192.0.2.1", owner.value)).status).toBe(200);
});

test("proxies may write ports behind addresses", async () => {
  await using edge = await startEdge({}, { config: { ...config, CANVASS_TRUSTED_PROXIES: "127.0.0.1,10.0.0.0/8" } });
  for (const address of ["192.0.2.1:5678", "192.0.2.1:9", "192.0.2.1, 10.0.0.7:443"])
    await callUnauthenticated(edge, address);
  expect((await callUnauthenticated(edge, "192.0.2.1")).status).toBe(429);
  expect((await callUnauthenticated(edge, "192.0.2.2:5678")).status).toBe(401);
  for (const port of [77, 78, 79]) await callUnauthenticated(edge, `[2001:db8::5]:${port}`);
  expect((await callUnauthenticated(edge, "2001:db8::6")).status).toBe(429);
});

test("an IPv6 client is its /64", async () => {
  await using edge = await startEdge({}, { config });
  for (let host = 1; host <= 3; host += 1) await callUnauthenticated(edge, `2001:db8:0:1::${host}`);
  expect((await callUnauthenticated(edge, "2001:db8:0:1:9::")).status).toBe(429);
  expect((await callUnauthenticated(edge, "2001:db8:0:2::1")).status).toBe(401);
});

test("`X-Forwarded-For` of a client that is no trusted proxy is ignored", async () => {
  await using edge = await startEdge({}, { config: { CANVASS_RATE_LIMIT_UNAUTHENTICATED: 3 } });
  for (let host = 1; host <= 3; host += 1) await callUnauthenticated(edge, `192.0.2.${host}`);
  expect((await callUnauthenticated(edge, "192.0.2.4")).status).toBe(429);
});

test("the same bad token is looked up once, and guesses of workspaces are limited, too", async () => {
  const clock = { now: Date.now() };
  await using edge = await startEdge({}, { config, now: () => new Date(clock.now) });
  const bad = newTokenValue(true);
  for (let calls = 0; calls < 6; calls += 1) await callUnauthenticated(edge, "192.0.2.1", bad);
  expect(edge.services.asked).toHaveLength(1);
  const valid = edge.services.issueToken(["full_access"]).value;
  const statuses = [];
  for (let guess = 0; guess < 6; guess += 1) {
    const headers = { ...from("192.0.2.9"), "x-workspace-id": `guess0000000000${guess}` };
    statuses.push((await edge.call("/errors", { token: valid, headers })).status);
  }
  expect(statuses).toEqual([403, 403, 403, 429, 429, 429]);
  expect(edge.services.asked).toHaveLength(4);
});

test("with limits off no call is refused", async () => {
  await using edge = await startEdge({}, { config: { ...config, CANVASS_RATE_LIMITS: "off" } });
  for (let calls = 0; calls < 6; calls += 1) {
    const { status, headers } = await callUnauthenticated(edge, "192.0.2.1");
    expect([status, headers.get("ratelimit")]).toEqual([401, null]);
  }
});
