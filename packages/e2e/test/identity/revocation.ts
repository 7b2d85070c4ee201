import { shortestTime, waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient, type ApiClient, type DemoSystem } from "../../src/index.ts";
import { expectRefusal } from "../expected-shapes.ts";
import type { SecondGateway } from "../second-gateway.ts";
import type { SharedSystem } from "../shared-system.ts";
import { whileAway } from "../while-away.ts";

let demo: DemoSystem;
let api: ApiClient;
let elsewhere: ApiClient;

/** Until every gateway knows of a change. */
const withinMs = 1_000;
/** The same without NATS, with tolerance for polling. */
const withoutNatsMs = 10_500;

const read = (through: ApiClient, token: string) =>
  through.call("GET", "/surveys", { headers: { authorization: `Bearer ${token}` } });

/** A token that both gateways have cached. */
async function knownToken(more: object = {}): Promise<{ id: string; token: string }> {
  const { data } = await api.post("/tokens", { name: "short-lived", scopes: ["surveys:read"], ...more });
  expect((await read(api, data.token)).status).toBe(200);
  expect((await read(elsewhere, data.token)).status).toBe(200);
  return data;
}

/** Throws where the machine was too slow for so short a life. */
async function expiringToken(): Promise<{ token: string; expiresAt: number }> {
  const expiresAt = Date.now() + 3_000;
  const { token } = await knownToken({ expires_at: new Date(expiresAt).toISOString() });
  return { token, expiresAt };
}

/** Returns the milliseconds until the other gateway refuses the token. */
async function refusedElsewhere(token: string, status = 401): Promise<number> {
  const begun = performance.now();
  await waitFor(async () => (await read(elsewhere, token)).status === status, {
    describe: "the other gateway to refuse the token",
    timeoutMs: 20_000,
  });
  return performance.now() - begun;
}

/** What ends a token acts on every gateway. Stops NATS for a while. */
export function revocation(shared: SharedSystem, gateway: () => SecondGateway): void {
  beforeAll(async () => {
    ({ demo } = shared);
    const workspace = await shared.newWorkspace();
    ({ api } = workspace);
    elsewhere = createApiClient(gateway().baseUrl, workspace.token);
  });
  afterAll(() => elsewhere?.[Symbol.asyncDispose]());

  test("a revoked token is refused at once where it was revoked, and within a second elsewhere", async () => {
    const revoke = async () => {
      const { id, token } = await knownToken();
      const revoked = await api.call("DELETE", `/tokens/${id}`);
      expect(revoked.data).toEqual({ message: expect.any(String) });
      expectRefusal(await read(api, token), 401, "invalid_token", {});
      const time = await refusedElsewhere(token);
      expectRefusal(await api.call("GET", `/tokens/${id}`), 404, "token_not_found", {});
      expectRefusal(await api.call("DELETE", `/tokens/${id}`), 404, "token_not_found", {});
      return time;
    };
    expect(await shortestTime(revoke, { withinMs })).toBeLessThan(withinMs);
  });

  test("a rotated token is refused like a revoked one, and its successor is accepted at once", async () => {
    const rotate = async () => {
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
      const time = await refusedElsewhere(token);
      for (const through of [api, elsewhere]) expect((await read(through, rotated.data.token)).status).toBe(200);
      return time;
    };
    expect(await shortestTime(rotate, { withinMs })).toBeLessThan(withinMs);
  });

  test("a token that is given fewer scopes loses the others within a second", async () => {
    const narrow = async () => {
      const { id, token } = await knownToken({ scopes: ["surveys:read", "events:read"] });
      await api.call("PATCH", `/tokens/${id}`, { body: { scopes: ["events:read"] } });
      expectRefusal(await read(api, token), 403, "insufficient_scope", { required_scope: "surveys:read" });
      return refusedElsewhere(token, 403);
    };
    expect(await shortestTime(narrow, { withinMs })).toBeLessThan(withinMs);
  });

  test("an expired token is refused from that moment on, by every gateway", async () => {
    const { token, expiresAt } = await waitFor(() => expiringToken(), {
      describe: "a token that both gateways know before it expires",
      timeoutMs: 60_000,
    });
    await waitFor(() => Date.now() > expiresAt, { describe: "the token to expire" });
    for (const through of [api, elsewhere]) expectRefusal(await read(through, token), 401, "token_expired", {});
  });

  test("with NATS stopped, another gateway refuses a revoked token within ten seconds", async () => {
    await whileAway(demo.system, ["nats"], async () => {
      const revoke = async () => {
        const { id, token } = await knownToken();
        await api.call("DELETE", `/tokens/${id}`);
        expectRefusal(await read(api, token), 401, "invalid_token", {});
        return refusedElsewhere(token);
      };
      expect(await shortestTime(revoke, { withinMs: withoutNatsMs })).toBeLessThan(withoutNatsMs);
    });
  }, 120_000);
}
