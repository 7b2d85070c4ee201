import { parseList } from "structured-headers";
import { expect, test } from "vitest";
import { surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

test("every answer says where the caller stands, in structured fields, refusals included", async () => {
  await using edge = await startEdge({}, { config: { CANVASS_RATE_LIMIT_READS: 3 } });
  const answers = [await edge.ask("/errors"), await edge.ask("/surveys/short"), await edge.ask("/surveys?x=1")];
  answers.push(await edge.ask("/errors"), await edge.ask("/errors"));
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 422, 429, 429]);
  const fields = answers.map(({ headers }) => {
    const [[limit, standing]] = parseList(headers.get("ratelimit")!) as never as [[string, Map<string, number>]];
    const [[policy, quota]] = parseList(headers.get("ratelimit-policy")!) as never as [[string, Map<string, number>]];
    expect([limit, policy, quota.get("q"), quota.get("w")]).toEqual(["reads", "reads", 3, 60]);
    expect(standing.get("t")).toBeGreaterThan(50);
    return standing.get("r");
  });
  expect(fields).toEqual([2, 1, 0, 0, 0]);
  const refused = answers[3]!;
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(50);
  expect(refused.body.error).toMatchObject({ code: "rate_limited", retryable: true });
});

test("each token and each kind of call has its own count, and a minute later it starts again", async () => {
  const clock = { now: Date.now() };
  const config = { CANVASS_RATE_LIMIT_READS: 1, CANVASS_RATE_LIMIT_WRITES: 1, CANVASS_RATE_LIMIT_SUBMISSIONS: 1 };
  await using edge = await startEdge({}, { config, now: () => new Date(clock.now) });
  const other = edge.services.issueToken(["full_access"]).value;
  const status = async (path: string, init?: Parameters<typeof edge.ask>[1]) => (await edge.ask(path, init)).status;
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
  ["DELETE", "/event-subscriptions/x", 60],
  ["GET", "/event-subscriptions/x/deliveries", 300],
  ["GET", "/events?x", 300],
])("%s %s has the limit of the spec: %i", async (method, path, limit) => {
  await using edge = await startEdge();
  const { headers } = await edge.ask(path, { method });
  expect(headers.get("ratelimit-policy")).toMatch(new RegExp(`^"[a-z_]+";q=${limit};w=60$`));
  expect(headers.get("ratelimit")).toContain(`r=${limit - 1};`);
});

test("health is exempt, and limits can be turned off", async () => {
  await using edge = await startEdge({}, { config: { CANVASS_RATE_LIMIT_READS: 1 } });
  for (let calls = 0; calls < 3; calls += 1) {
    const { status, headers } = await edge.ask("/health");
    expect([status, headers.get("ratelimit")]).toEqual([200, null]);
  }
  await using open = await startEdge({}, { config: { CANVASS_RATE_LIMITS: "off", CANVASS_RATE_LIMIT_READS: 1 } });
  for (let calls = 0; calls < 3; calls += 1) {
    const { status, headers } = await open.ask("/errors");
    expect([status, headers.get("ratelimit")]).toEqual([200, null]);
  }
});
