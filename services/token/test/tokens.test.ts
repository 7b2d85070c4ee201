import { timestampDate } from "@bufbuild/protobuf/wkt";
import { TokenService } from "@canvass/proto/token";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf, refusalOf, startTokenSystem, type TokenSystem, type Workspace } from "./token-system.ts";

let system: TokenSystem;
let home: Workspace;

beforeAll(async () => {
  system = await startTokenSystem();
  home = await system.createWorkspace();
});
afterAll(() => system[Symbol.asyncDispose]());

test("a created token authenticates, is listed, and can be read; its value is nowhere", async () => {
  const { token, tokenValue } = await system.createToken(home.tokenValue, {
    name: "CI 🚀",
    scopes: ["surveys:write", "surveys:write"],
  });
  expect(await system.authenticate(tokenValue)).toMatchObject({ tokenId: token!.tokenId, tokenName: "CI 🚀" });
  expect(token).toMatchObject({ name: "CI 🚀", scopes: ["surveys:write"], live: true });
  expect(timestampDate(token!.createdAt!)).toEqual(system.clock.now());
  expect(await system.listTokens(home.tokenValue)).toContainEqual(token);
  const options = await system.as(home.tokenValue);
  expect((await system.peer.getToken({ tokenId: token!.tokenId }, options)).token).toEqual(token);
  const rows = await system.sql(
    "SELECT api_tokens::text AS row FROM api_tokens UNION ALL SELECT audit_entries::text FROM audit_entries",
  );
  expect(rows.length).toBeGreaterThan(2);
  expect(JSON.stringify(rows)).not.toContain(tokenValue.slice(9, 40));
});

test("every wrong field of a new token is named at once, with 400 and not 422", async () => {
  const wrong = { name: "", scopes: ["nope", "events:write"], expiresAt: system.clock.now() };
  expect(await refusalOf(system.createToken(home.tokenValue, wrong))).toMatchObject({
    code: "invalid_request",
    details: {
      name: [expect.any(String)],
      scopes: ['must not have "nope", which is not a scope'],
      expires_at: [expect.any(String)],
    },
  });
  expect(await codeOf(system.createToken(home.tokenValue, { scopes: [] }))).toBe("invalid_request");
  for (const name of ["a\u0000", "\u200b", "\u202eevil", "a\u0085b", "\ud800", "half \udc00"]) {
    expect(await refusalOf(system.createToken(home.tokenValue, { name }))).toMatchObject({
      code: "invalid_request",
      details: { name: expect.arrayContaining([expect.any(String)]) },
    });
  }
});

test("tokens that are another person's, another workspace's, revoked, expired or unknown look absent", async () => {
  const ownerEmail = "twice@example.com";
  const mine = await system.createWorkspace({ ownerEmail });
  const alsoMine = await system.createWorkspace({ ownerEmail });
  const colleague = await system.createWorkspace();
  await system.sql("INSERT INTO memberships SELECT $1, $2, 'admin', NULL, now()", [
    mine.workspaceId,
    colleague.personId,
  ]);
  const revoked = await system.createToken(mine.tokenValue);
  await system.peer.revokeToken({ tokenId: revoked.token!.tokenId }, await system.as(mine.tokenValue));
  const expired = await system.createToken(mine.tokenValue, {
    expiresAt: new Date(system.clock.now().getTime() + 1000),
  });
  system.clock.advance(1000);
  const options = await system.as(mine.tokenValue);
  const here = await system.createToken(colleague.tokenValue);
  await system.sql("UPDATE api_tokens SET workspace_id = $1 WHERE token_id = $2", [
    mine.workspaceId,
    here.token!.tokenId,
  ]);
  const absent = [
    alsoMine.tokenId,
    colleague.tokenId,
    here.token!.tokenId,
    revoked.token!.tokenId,
    expired.token!.tokenId,
    "0".repeat(16),
    "",
    "a\u0000b",
    `${mine.tokenId} `,
    mine.tokenId.toUpperCase(),
  ];
  for (const tokenId of absent) {
    expect(await codeOf(system.peer.getToken({ tokenId }, options))).toBe("token_not_found");
    expect(await codeOf(system.peer.updateToken({ tokenId, name: "x" }, options))).toBe("token_not_found");
    expect(await codeOf(system.peer.rotateToken({ tokenId }, options))).toBe("token_not_found");
    expect(await codeOf(system.peer.revokeToken({ tokenId }, options))).toBe("token_not_found");
  }
  expect((await system.listTokens(mine.tokenValue)).map(({ tokenId }) => tokenId)).toEqual([mine.tokenId]);
  expect(await system.authenticate(colleague.tokenValue)).toMatchObject({ workspaceId: colleague.workspaceId });
});

test("a token made while acting in another workspace belongs there", async () => {
  const ownerEmail = "guest@example.com";
  const first = await system.createWorkspace({ ownerEmail });
  const second = await system.createWorkspace({ ownerEmail });
  const there = await system.as(first.tokenValue, { workspaceId: second.workspaceId });
  const { tokenValue } = await system.peer.createToken({ name: "there" }, there);
  expect(await system.authenticate(tokenValue)).toMatchObject({ workspaceId: second.workspaceId });
  expect((await system.listTokens(first.tokenValue)).map(({ name }) => name)).toEqual(["Owner"]);
});

test("an update changes only given fields and takes effect at once", async () => {
  const { token, tokenValue } = await system.createToken(home.tokenValue, { scopes: ["surveys:write"] });
  const tokenId = token!.tokenId;
  const options = await system.as(home.tokenValue);
  const renamed = await system.peer.updateToken({ tokenId, name: "renamed" }, options);
  expect(renamed.token).toEqual({ ...token, name: "renamed" });
  const narrowed = await system.peer.updateToken({ tokenId, scopes: ["surveys:read"] }, options);
  expect(narrowed.token).toEqual({ ...token, name: "renamed", scopes: ["surveys:read"] });
  expect(await system.authenticate(tokenValue)).toMatchObject({ scopes: ["surveys:read"], tokenName: "renamed" });
});

test("an update with nothing, an empty name, no scopes or unknown ones is a 400 that writes nothing", async () => {
  const { token } = await system.createToken(home.tokenValue);
  const { tokenId } = token!;
  const options = await system.as(home.tokenValue);
  for (const wrong of [{}, { name: "" }, { scopes: [] }, { name: "fine", scopes: ["nope"] }]) {
    expect(await codeOf(system.peer.updateToken({ tokenId, ...wrong }, options))).toBe("invalid_request");
  }
  expect((await system.peer.getToken({ tokenId }, options)).token).toEqual(token);
});

test("a revoked token is dead at once, and stays revoked", async () => {
  const { token, tokenValue } = await system.createToken(home.tokenValue);
  const options = await system.as(home.tokenValue);
  await system.peer.revokeToken({ tokenId: token!.tokenId }, options);
  expect(await system.authenticate(tokenValue)).toBe("invalid_token");
  expect(await codeOf(system.peer.revokeToken({ tokenId: token!.tokenId }, options))).toBe("token_not_found");
});

test("violations of the shape are reported with all others, and nothing is written", async () => {
  const { tokenValue } = await system.createWorkspace();
  const options = await system.as(tokenValue);
  const wrong = { name: "\u200b", scopes: "all", is_live: 1, expires_at: "tomorrow", owner: "me" };
  const details = Object.fromEntries(Object.keys(wrong).map((field) => [field, [expect.any(String)]]));
  expect(await refusalOf(system.peer.createToken(wrong, options))).toMatchObject({ code: "invalid_request", details });
  const change = { tokenId: "0000000000000000", name: "\u200b", scopes: [3], live: true };
  expect(await refusalOf(system.peer.updateToken(change, options))).toMatchObject({
    code: "invalid_request",
    details: {
      name: [expect.any(String)],
      scopes: ["must not have 3, which is not a scope"],
      live: [expect.any(String)],
    },
  });
  for (const bodyJson of ["[]", "null", '"x"']) {
    expect(await refusalOf(system.client(TokenService).createToken({ bodyJson }, options))).toMatchObject({
      code: "invalid_request",
      details: { body: ["must be an object"] },
    });
  }
  expect((await system.peer.listTokens({}, options)).tokens).toHaveLength(1);
});

test.each([
  ["2027-01-01T00:00:00.123456789Z", "2027-01-01T00:00:00.123Z"],
  ["2027-01-01t02:00:00.5000000000+02:00", "2027-01-01T00:00:00.500Z"],
  ["2027-06-30T23:59:60z", "2027-07-01T00:00:00.000Z"],
])("a token may expire at %s, which is %s", async (expires_at, timestamp) => {
  const { token } = await system.peer.createToken({ name: "CI", expires_at }, await system.as(home.tokenValue));
  expect(timestampDate(token!.expiresAt!).toISOString()).toBe(timestamp);
});
