import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { defaultScopes, scopes } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { groupFaults, joinFaults } from "@canvass/inputs";
import { TokenSchema, type CreateTokenRequest, type UpdateTokenRequest } from "@canvass/proto/token";
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

test("tokens are shown as the spec has them, never with their value", async () => {
  const used = { ...token, expiresAt: undefined, lastUsedAt: time("2026-02-01T00:00:00Z"), lastUsedIp: "192.0.2.1" };
  await using edge = await startEdge({
    token: { listTokens: async () => ({ tokens: [token, used] }), getToken: async () => ({ token }) },
  });
  expect((await edge.ask("/tokens")).body.data).toEqual([
    view,
    { ...view, expires_at: null, last_used_at: "2026-02-01T00:00:00.000Z", last_used_ip: "192.0.2.1" },
  ]);
  expect((await edge.ask(`/tokens/${tokenId}`)).body.data).toEqual(view);
});

test("the scopes are listed with their descriptions and the default set, for any token", async () => {
  await using edge = await startEdge();
  const { value } = edge.services.issueToken(["exports:write"]);
  const { status, body } = await edge.ask("/tokens/scopes", { token: value });
  expect(status).toBe(200);
  expect(Object.keys(body.data.scopes)).toEqual(Object.keys(scopes));
  expect(body.data.default_scopes).toEqual(defaultScopes);
});

test("what is given at creation reaches the service, what is left out is left to it", async () => {
  const asked: CreateTokenRequest[] = [];
  await using edge = await startEdge({
    token: {
      createToken: async (request) => {
        asked.push(request);
        return { token, tokenValue: "cvs_live_value" };
      },
    },
  });
  const post = (body: object) => edge.ask("/tokens", { method: "POST", body: JSON.stringify(body) });
  const { status, body } = await post({ name: "CI" });
  expect(status).toBe(201);
  expect(body.data).toEqual({ token: "cvs_live_value", id: tokenId, name: "CI", scopes: ["surveys:read"] });
  await post({ name: "CI", scopes: ["events:write"], is_live: false, expires_at: "2027-01-01T01:00:00+01:00" });
  await post({ name: "CI", expires_at: null });
  expect(asked).toMatchObject([
    { name: "CI", live: true },
    { live: false, scopes: { scopes: ["events:write"] }, expiresAt: time("2027-01-01T00:00:00Z") },
    { name: "CI" },
  ]);
  expect(asked.map(({ scopes, expiresAt }) => [Boolean(scopes), Boolean(expiresAt)])).toEqual([
    [false, false],
    [true, true],
    [false, false],
  ]);
});

test.each([
  ["2027-01-01T00:00:00.123456789Z", "2027-01-01T00:00:00.123Z"],
  ["2027-01-01t02:00:00.5000000000+02:00", "2027-01-01T00:00:00.500Z"],
  ["2027-06-30T23:59:60z", "2027-07-01T00:00:00.000Z"],
])("a token may expire at %s, which is %s", async (text, moment) => {
  const asked: CreateTokenRequest[] = [];
  await using edge = await startEdge({
    token: {
      createToken: async (request) => {
        asked.push(request);
        return { token, tokenValue: "cvs_live_value" };
      },
    },
  });
  const body = JSON.stringify({ name: "CI", expires_at: text });
  expect((await edge.ask("/tokens", { method: "POST", body })).status).toBe(201);
  expect(asked).toMatchObject([{ expiresAt: time(moment) }]);
});

test("an update sends only what is given", async () => {
  const asked: UpdateTokenRequest[] = [];
  await using edge = await startEdge({
    token: {
      updateToken: async (request) => {
        asked.push(request);
        return { token };
      },
    },
  });
  const patch = (body: object) => edge.ask(`/tokens/${tokenId}`, { method: "PATCH", body: JSON.stringify(body) });
  expect((await patch({ name: "New" })).body.data).toEqual(view);
  await patch({ scopes: ["surveys:write"] });
  expect(asked).toMatchObject([{ tokenId, name: "New" }, { scopes: { scopes: ["surveys:write"] } }]);
  expect(asked[0]!.scopes).toBeUndefined();
  expect(asked[1]!.name).toBeUndefined();
});

test("rotating and revoking answer as the spec has them", async () => {
  await using edge = await startEdge({
    token: {
      rotateToken: async () => ({ token, tokenValue: "cvs_live_new", oldTokenId: "token0000000old0" }),
      revokeToken: async () => ({}),
    },
  });
  const rotated = await edge.ask(`/tokens/${tokenId}/rotate`, { method: "POST" });
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
  const revoked = await edge.ask(`/tokens/${tokenId}`, { method: "DELETE" });
  expect(revoked.body.data).toEqual({ message: expect.any(String) });
});

test.each<[string, string, unknown, string[]]>([
  [
    "POST",
    "",
    { name: 1, is_live: "yes", expires_at: "tomorrow", owner: "me" },
    ["name", "is_live", "expires_at", "owner"],
  ],
  ["POST", "", { name: "x", scopes: "surveys:read" }, ["scopes"]],
  ["POST", "", { scopes: [] }, ["name", "scopes"]],
  ["POST", "", { scopes: ["surveys:read", "root"], expires_at: "tomorrow" }, ["name", "scopes.1", "expires_at"]],
  ["POST", "", { name: "x", expires_at: "2026-02-30T00:00:00Z" }, ["expires_at"]],
  ["POST", "", { name: "x\ud800" }, ["name"]],
  ["PATCH", `/${tokenId}`, { scopes: {} }, ["scopes"]],
  ["PATCH", `/${tokenId}`, [], ["body"]],
  ["DELETE", `/${tokenId}?force=1`, undefined, ["force"]],
  ["GET", "?page=2", undefined, ["page"]],
])("input that is wrong is a 400 naming all of it: %s /tokens%s %j", async (method, path, body, faulty) => {
  await using edge = await startEdge();
  const answer = await edge.ask(`/tokens${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect([answer.status, answer.body.error.code]).toEqual([400, "invalid_request"]);
  expect(Object.keys(answer.body.error.details).sort()).toEqual(faulty.sort());
});

test("content that can be passed on is judged by the service alone, with everything else about it", async () => {
  const refuse = ({ name }: { name?: string | undefined }) => {
    throw new AppError("invalid_request", { name: [`judged ${JSON.stringify(name)}`] });
  };
  await using edge = await startEdge({
    token: { createToken: async (request) => refuse(request), updateToken: async (request) => refuse(request) },
  });
  const details = async (method: string, path: string, body: object) =>
    (await edge.ask(path, { method, body: JSON.stringify(body) })).body.error.details;
  expect(await details("POST", "/tokens", {})).toEqual({ name: ['judged ""'] });
  expect(await details("POST", "/tokens", { name: " ", scopes: ["root"] })).toEqual({ name: ['judged " "'] });
  expect(await details("PATCH", `/tokens/${tokenId}`, {})).toEqual({ name: ["judged undefined"] });
});

test("faults of the edge come with those of the service, also when the service fails", async () => {
  const seen: CreateTokenRequest[] = [];
  let fail = false;
  await using edge = await startEdge({
    token: {
      createToken: async (request) => {
        seen.push(request);
        if (fail) throw new AppError("service_unavailable");
        const own = [
          { path: "name", message: "is judged" },
          { path: "scopes", message: "is left out" },
        ];
        throw new AppError("invalid_request", groupFaults(joinFaults(request.edgeFaults, own)));
      },
    },
  });
  const body = { name: "\u200b", scopes: ["root", 5], owner: "me", expires_at: "2099-01-01T00:00:00Z" };
  const create = async () =>
    (await edge.ask("/tokens?page=1", { method: "POST", body: JSON.stringify(body) })).body.error;
  const edgeFaults = {
    page: ["is not a known parameter"],
    owner: ["is not a known field"],
    "scopes.0": [expect.stringContaining("must be one of")],
    "scopes.1": ["must be text", expect.any(String)],
  };
  expect(await create()).toMatchObject({ code: "invalid_request", details: { ...edgeFaults, name: ["is judged"] } });
  expect(seen[0]).toMatchObject({ name: "\u200b", expiresAt: expect.anything() });
  expect(seen[0]!.scopes).toBeUndefined();
  fail = true;
  const { code, details } = await create();
  expect([code, details]).toEqual(["invalid_request", edgeFaults]);
});

test("an operation without body takes none", async () => {
  await using edge = await startEdge({ token: { rotateToken: async () => ({ token, tokenValue: "v" }) } });
  const rotate = (body: string) => edge.ask(`/tokens/${tokenId}/rotate`, { method: "POST", body });
  expect((await rotate("{}")).status).toBe(201);
  expect((await rotate('{"name":"x"}')).body.error).toMatchObject({
    code: "invalid_request",
    details: { name: [expect.any(String)] },
  });
});
