import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient, type ApiClient } from "../../src/index.ts";
import { expectRefusal } from "../expected-shapes.ts";
import type { SecondGateway } from "../second-gateway.ts";
import type { SharedSystem } from "../shared-system.ts";

let api: ApiClient;
let elsewhere: ApiClient;

const read = (through: ApiClient, token: string) =>
  through.call("GET", "/surveys", { headers: { authorization: `Bearer ${token}` } });

/** Creates a token and makes both gateways cache it. */
async function knownToken(more: object = {}): Promise<{ id: string; token: string }> {
  const { data } = await api.post("/tokens", { name: "short-lived", scopes: ["surveys:read"], ...more });
  expect((await read(api, data.token)).status).toBe(200);
  expect((await read(elsewhere, data.token)).status).toBe(200);
  return data;
}

/** Throws if the machine is too slow for so short a lifetime. */
async function expiringToken(): Promise<{ token: string; expiresAt: number }> {
  const expiresAt = Date.now() + 3_000;
  const { token } = await knownToken({ expires_at: new Date(expiresAt).toISOString() });
  return { token, expiresAt };
}

const refusedElsewhere = (token: string, status = 401) =>
  waitFor(async () => (await read(elsewhere, token)).status === status, {
    describe: "the other gateway to refuse the token",
  });

/** Tests that ending a token takes effect on every gateway. promised-times.nightly.ts measures how soon. */
export function testRevocation(shared: SharedSystem, gateway: () => SecondGateway): void {
  beforeAll(async () => {
    const workspace = await shared.newWorkspace();
    ({ api } = workspace);
    elsewhere = createApiClient(gateway().baseUrl, workspace.token);
  });
  afterAll(() => elsewhere?.[Symbol.asyncDispose]());

  test("a revoked token is refused at once where it was revoked, and elsewhere too", async () => {
    const { id, token } = await knownToken();
    const revoked = await api.call("DELETE", `/tokens/${id}`);
    expect(revoked.data).toEqual({ message: expect.any(String) });
    expectRefusal(await read(api, token), 401, "invalid_token", {});
    await refusedElsewhere(token);
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
    await refusedElsewhere(token);
    for (const through of [api, elsewhere]) expect((await read(through, rotated.data.token)).status).toBe(200);
  });

  test("a token that is given fewer scopes loses the others", async () => {
    const { id, token } = await knownToken({ scopes: ["surveys:read", "events:read"] });
    await api.call("PATCH", `/tokens/${id}`, { body: { scopes: ["events:read"] } });
    expectRefusal(await read(api, token), 403, "insufficient_scope", { required_scope: "surveys:read" });
    await refusedElsewhere(token, 403);
  });

  test("an expired token is refused from that moment on, by every gateway", async () => {
    const { token, expiresAt } = await waitFor(() => expiringToken(), {
      describe: "a token that both gateways know before it expires",
      timeoutMs: 60_000,
    });
    await waitFor(() => Date.now() > expiresAt, { describe: "the token to expire" });
    for (const through of [api, elsewhere]) expectRefusal(await read(through, token), 401, "token_expired", {});
  });
}
