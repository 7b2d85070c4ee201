import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient, type ApiClient, type DemoSystem } from "../src/index.ts";
import { expectRefusal } from "./expected-shapes.ts";
import { startSecondGateway, type SecondGateway } from "./second-gateway.ts";
import { whileAway } from "./while-away.ts";
import { startTestSystem } from "./test-system.ts";

let demo: DemoSystem;
let api: ApiClient;
let gateway: SecondGateway;
let elsewhere: ApiClient;

beforeAll(async () => {
  demo = await startTestSystem();
  ({ api } = demo);
  gateway = await startSecondGateway(demo.system);
  elsewhere = createApiClient(gateway.baseUrl, demo.system.local.token);
}, 120_000);
afterAll(async () => {
  await elsewhere?.[Symbol.asyncDispose]();
  await gateway?.[Symbol.asyncDispose]();
  await demo?.[Symbol.asyncDispose]();
});

/** Tolerance for polling. */
const pollMs = 500;

const read = (through: ApiClient, token: string) =>
  through.call("GET", "/surveys", { headers: { authorization: `Bearer ${token}` } });

/** A token that both gateways have cached. */
async function knownToken(more: object = {}): Promise<{ id: string; token: string }> {
  const { data } = await api.post("/tokens", { name: "short-lived", scopes: ["surveys:read"], ...more });
  expect((await read(api, data.token)).status).toBe(200);
  expect((await read(elsewhere, data.token)).status).toBe(200);
  return data;
}

/** Returns the milliseconds until the other gateway refuses the token. */
async function refusedElsewhere(token: string): Promise<number> {
  const begun = performance.now();
  await waitFor(async () => (await read(elsewhere, token)).status === 401, {
    describe: "the other gateway to refuse the token",
    timeoutMs: 20_000,
  });
  return performance.now() - begun;
}

test("a revoked token is refused at once where it was revoked, and within a second elsewhere", async () => {
  const { id, token } = await knownToken();
  const revoked = await api.call("DELETE", `/tokens/${id}`);
  expect(revoked.data).toEqual({ message: expect.any(String) });
  expectRefusal(await read(api, token), 401, "invalid_token", {});
  expect(await refusedElsewhere(token)).toBeLessThan(1_000);
  expectRefusal(await api.call("GET", `/tokens/${id}`), 404, "token_not_found", {});
  expectRefusal(await api.call("DELETE", `/tokens/${id}`), 404, "token_not_found", {});
});

test("a rotated token is refused like a revoked one, and its successor is accepted at once", async () => {
  const { id, token } = await knownToken();
  const rotated = await api.call("POST", `/tokens/${id}/rotate`);
  expect(rotated.data).toEqual({
    token: expect.stringMatching(/^cvs_live_[A-Za-z0-9]{32,}$/),
    id: expect.stringMatching(/^[a-z0-9]{16}$/),
    name: "short-lived",
    scopes: ["surveys:read"],
    expires_at: null,
    created_at: expect.any(String),
    old_token_id: id,
  });
  expectRefusal(await read(api, token), 401, "invalid_token", {});
  expect(await refusedElsewhere(token)).toBeLessThan(1_000);
  for (const through of [api, elsewhere]) expect((await read(through, rotated.data.token)).status).toBe(200);
});

test("a token that is given fewer scopes loses the others within a second", async () => {
  const { id, token } = await knownToken({ scopes: ["surveys:read", "events:read"] });
  await api.call("PATCH", `/tokens/${id}`, { body: { scopes: ["events:read"] } });
  expectRefusal(await read(api, token), 403, "insufficient_scope", { required_scope: "surveys:read" });
  const begun = performance.now();
  await waitFor(async () => (await read(elsewhere, token)).status === 403, { describe: "the scope to be gone" });
  expect(performance.now() - begun).toBeLessThan(1_000);
});

test("an expired token is refused from that moment on, by every gateway", async () => {
  const expiresAt = Date.now() + 3_000;
  const { token } = await knownToken({ expires_at: new Date(expiresAt).toISOString() });
  await waitFor(() => Date.now() > expiresAt, { describe: "the token to expire" });
  for (const through of [api, elsewhere]) expectRefusal(await read(through, token), 401, "token_expired", {});
});

test("with NATS stopped, another gateway refuses a revoked token within ten seconds", async () => {
  await whileAway(demo.system, ["nats"], async () => {
    const { id, token } = await knownToken();
    await api.call("DELETE", `/tokens/${id}`);
    expectRefusal(await read(api, token), 401, "invalid_token", {});
    expect(await refusedElsewhere(token)).toBeLessThan(10_000 + pollMs);
  });
}, 60_000);
