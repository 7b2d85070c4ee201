import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { defaultScopes, scopes } from "@canvass/access";
import { TokenSchema } from "@canvass/proto/token";
import { expect, test } from "vitest";
import { startEdge } from "./start-edge.ts";

const tokenId = "token00000000000";
const time = (text: string) => timestampFromDate(new Date(text));
const token = create(TokenSchema, {
  tokenId,
  name: "CI",
  scopes: ["surveys:read"],
  expiresAt: time("2027-01-01T00:00:00Z"),
  createdAt: time("2026-01-01T00:00:00Z"),
});
const view = {
  id: tokenId,
  name: "CI",
  scopes: ["surveys:read"],
  expires_at: "2027-01-01T00:00:00.000Z",
  last_used_at: null,
  last_used_ip: null,
  created_at: "2026-01-01T00:00:00.000Z",
};

test("tokens are shown with their fields and last use, never with their value", async () => {
  const used = { ...token, expiresAt: undefined, lastUsedAt: time("2026-02-01T00:00:00Z"), lastUsedIp: "192.0.2.1" };
  await using edge = await startEdge({
    token: { listTokens: async () => ({ tokens: [token, used] }), getToken: async () => ({ token }) },
  });
  expect((await edge.call("/tokens")).body.data).toEqual([
    view,
    { ...view, expires_at: null, last_used_at: "2026-02-01T00:00:00.000Z", last_used_ip: "192.0.2.1" },
  ]);
  expect((await edge.call(`/tokens/${tokenId}`)).body.data).toEqual(view);
});

test("the scopes are listed with their descriptions and the default set, for any token", async () => {
  await using edge = await startEdge();
  const { value } = edge.services.issueToken(["exports:write"]);
  const { status, body } = await edge.call("/tokens/scopes", { token: value });
  expect(status).toBe(200);
  expect(Object.keys(body.data.scopes)).toEqual(Object.keys(scopes));
  expect(body.data.default_scopes).toEqual(defaultScopes);
});

test("a token is created and changed from the body exactly as it was sent", async () => {
  const asked: string[] = [];
  await using edge = await startEdge({
    token: {
      createToken: async ({ bodyJson }) => {
        asked.push(bodyJson);
        return { token, tokenValue: "cvs_live_value" };
      },
      updateToken: async (request) => {
        asked.push(request.tokenId, request.bodyJson);
        return { token };
      },
    },
  });
  const made = await edge.call("/tokens", { method: "POST", body: '{ "name": 5 }' });
  expect(made.status).toBe(201);
  expect(made.body.data).toEqual({ token: "cvs_live_value", id: tokenId, name: "CI", scopes: ["surveys:read"] });
  const changed = await edge.call(`/tokens/${tokenId}`, { method: "PATCH", body: "{}" });
  expect(changed.body.data).toEqual(view);
  expect(asked).toEqual(['{ "name": 5 }', tokenId, "{}"]);
});

test("rotating answers with the new token and the id of the old one, revoking with a message", async () => {
  await using edge = await startEdge({
    token: {
      rotateToken: async () => ({ token, tokenValue: "cvs_live_new", oldTokenId: "token0000000old0" }),
      revokeToken: async () => ({}),
    },
  });
  const rotated = await edge.call(`/tokens/${tokenId}/rotate`, { method: "POST" });
  expect(rotated.status).toBe(201);
  expect(rotated.body.data).toEqual({
    token: "cvs_live_new",
    id: tokenId,
    name: "CI",
    scopes: ["surveys:read"],
    expires_at: view.expires_at,
    created_at: view.created_at,
    old_token_id: "token0000000old0",
  });
  const revoked = await edge.call(`/tokens/${tokenId}`, { method: "DELETE" });
  expect(revoked.body.data).toEqual({ message: expect.any(String) });
});

test("an invalid URL is a 400 that also lists the violations of the body", async () => {
  await using edge = await startEdge();
  const violations = async (path: string, method: string, body?: object) => {
    const answer = await edge.call(`/tokens${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    return [answer.status, answer.body.error.code, Object.keys(answer.body.error.details).sort()];
  };
  expect(await violations(`/${tokenId}?force=1`, "DELETE")).toEqual([400, "invalid_request", ["force"]]);
  expect(await violations("?page=2", "GET")).toEqual([400, "invalid_request", ["page"]]);
  const wrong = { name: 1, is_live: "yes", owner: "me" };
  const places = ["is_live", "name", "owner", "page"];
  expect(await violations("?page=2", "POST", wrong)).toEqual([400, "invalid_request", places]);
});

test("an operation without body takes none", async () => {
  await using edge = await startEdge({ token: { rotateToken: async () => ({ token, tokenValue: "v" }) } });
  const rotate = (body: string) => edge.call(`/tokens/${tokenId}/rotate`, { method: "POST", body });
  expect((await rotate("{}")).status).toBe(201);
  expect((await rotate('{"name":"x"}')).body.error).toMatchObject({
    code: "invalid_request",
    details: { name: [expect.any(String)] },
  });
});
