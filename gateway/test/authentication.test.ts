import { newTokenValue } from "@canvass/access";
import { connectBus, publishNotice, newEvent, type NewEvent } from "@canvass/events";
import { createLogger } from "@canvass/telemetry";
import { testNats } from "@canvass/testing";
import { expect, test } from "vitest";
import { startEdge } from "./start-edge.ts";

const scopes = "/tokens/scopes";

test("without a token the answer is 401 and names the kind of token", async () => {
  await using edge = await startEdge();
  for (const authorization of [undefined, "", "Basic dXNlcjpwYXNz", "Bearer", newTokenValue(true)]) {
    const headers = authorization === undefined ? {} : { authorization };
    const { status, body, headers: received } = await edge.call(scopes, { token: null, headers });
    expect([status, body.error.code]).toEqual([401, "unauthorized"]);
    expect(received.get("www-authenticate")).toBe('Bearer realm="canvass"');
  }
});

test("the scheme `Bearer` is case-insensitive", async () => {
  await using edge = await startEdge();
  const { value } = edge.services.issueToken(["surveys:read"]);
  for (const scheme of ["bearer", "BEARER", "Bearer "]) {
    const { status } = await edge.call(scopes, { token: null, headers: { authorization: `${scheme} ${value}` } });
    expect(status).toBe(200);
  }
});

test("a mistyped token is refused without a look-up, an unknown one after one look-up", async () => {
  await using edge = await startEdge();
  const { value } = edge.services.issueToken(["surveys:read"]);
  const typo = value.slice(0, 20) + (value[20] === "a" ? "b" : "a") + value.slice(21);
  for (const token of [typo, "cvs_live_short", "x"]) {
    const { status, body, headers } = await edge.call(scopes, { token });
    expect([status, body.error.code]).toEqual([401, "invalid_token"]);
    expect(headers.get("www-authenticate")).toContain('error="invalid_token"');
  }
  expect(edge.services.asked).toHaveLength(0);
  const unknown = newTokenValue(true);
  for (let tries = 0; tries < 3; tries += 1) {
    expect((await edge.call(scopes, { token: unknown })).body.error.code).toBe("invalid_token");
  }
  expect(edge.services.asked).toHaveLength(1);
});

test("a token is looked up once for many requests", async () => {
  await using edge = await startEdge();
  await Promise.all(Array.from({ length: 20 }, () => edge.call(scopes)));
  await edge.call(scopes);
  expect(edge.services.asked).toHaveLength(1);
});

test("X-Workspace-ID chooses the workspace", async () => {
  await using edge = await startEdge();
  const call = (id: string) => edge.call(scopes, { headers: { "x-workspace-id": id } });
  expect((await call("workspace0000000")).status).toBe(200);
  for (const id of ["workspace0000001", "not-an-id", ""]) {
    const { status, body } = await call(id);
    expect([status, body.error.code]).toEqual([403, "workspace_not_accessible"]);
  }
});

test("while the token service is down, requests and health are 503", async () => {
  await using edge = await startEdge();
  await edge.services.stop("token");
  const { status, body } = await edge.call(scopes);
  expect([status, body.error.code]).toEqual([503, "service_unavailable"]);
  expect((await edge.call("/health")).status).toBe(503);
});

test("a token that was revoked or rotated here stops working at once", async () => {
  for (const [method, path] of [
    ["DELETE", ""],
    ["POST", "/rotate"],
  ] as const) {
    await using edge = await startEdge({
      token: { revokeToken: async () => ({}), rotateToken: async () => ({ token: {}, tokenValue: "new" }) },
    });
    const token = edge.services.issueToken(["full_access"]);
    expect((await edge.call(scopes, { token: token.value })).status).toBe(200);
    edge.services.revoke(token);
    expect((await edge.call(scopes, { token: token.value })).status).toBe(200);
    await edge.call(`/tokens/${token.tokenId}${path}`, { method });
    expect((await edge.call(scopes, { token: token.value })).status).toBe(401);
  }
});

const tokenId = "token00000000000";
const { workspaceId, personId } = { workspaceId: "workspace0000000", personId: "person0000000000" };

test.each<[string, NewEvent["body"]]>([
  ["token that was revoked", { case: "tokenRevoked", value: { tokenId } }],
  ["workspace that was given another plan", { case: "workspacePlanChanged", value: { plan: "free" } }],
  ["person who was given another role", { case: "membershipChanged", value: { personId } }],
])("cached identities of a %s elsewhere are dropped by the notice", async (_what, body) => {
  await using nats = await testNats();
  const log = createLogger({ service: "test", level: "silent", pretty: false });
  await using bus = connectBus({ url: nats.url, name: "test", log });
  // For the gateway no time passes: no cached identity ends by its age.
  await using edge = await startEdge({}, { config: { NATS_URL: nats.url }, elapsed: () => 0 });
  await expect.poll(async () => (await edge.call("/health")).body.data.checks.broker).toBe("ok");
  await bus.whenConnected(AbortSignal.timeout(60_000));
  const token = edge.services.issueToken(["full_access"], { tokenId });
  expect((await edge.call(scopes, { token: token.value })).status).toBe(200);
  edge.services.revoke(token);
  expect((await edge.call(scopes, { token: token.value })).status).toBe(200);
  publishNotice(bus, newEvent({ workspaceId, occurredAt: new Date(), body }));
  await expect.poll(async () => (await edge.call(scopes, { token: token.value })).status).toBe(401);
});

test("a broker that is away degrades health and nothing else", async () => {
  await using edge = await startEdge({}, { config: { NATS_URL: "nats://127.0.0.1:1" } });
  const health = async () => {
    const { status, body } = await edge.call("/health");
    return [status, body.data];
  };
  const degraded = { status: "degraded", checks: { broker: "unavailable", database: "ok" } };
  // The first connections may take longer than a check of health waits.
  await expect.poll(health).toMatchObject([200, degraded]);
  expect((await edge.call(scopes)).status).toBe(200);
});
