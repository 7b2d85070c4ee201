import { allScopes, defaultScopes } from "@canvass/access";
import type { Caller } from "@canvass/proto/access";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf, refusalOf, startTokenSystem, type TokenSystem, type Workspace } from "./token-system.ts";

let system: TokenSystem;
let home: Workspace;

beforeAll(async () => {
  system = await startTokenSystem();
  home = await system.createWorkspace();
});
afterAll(() => system[Symbol.asyncDispose]());

const list = async (value: string) => (await system.peer.listTokens({}, await system.as(value))).tokens;
const auditOf = (resourceId: string) =>
  system.sql("SELECT * FROM audit_entries WHERE resource_id = $1 ORDER BY entry_id", [resourceId]);

test("left-out scopes are the default set, or the part of it that the giver holds", async () => {
  expect((await system.createToken(home.tokenValue)).token!.scopes).toEqual(defaultScopes);
  const narrow = await system.createToken(home.tokenValue, { scopes: ["tokens:write", "surveys:write"] });
  expect((await system.createToken(narrow.tokenValue)).token!.scopes).toEqual(["surveys:read"]);
  const none = await system.createToken(home.tokenValue, { scopes: ["tokens:write"] });
  expect(await refusalOf(system.createToken(none.tokenValue))).toMatchObject({
    code: "invalid_request",
    details: { scopes: [expect.any(String)] },
  });
});

test("nobody gives what they do not hold; nothing is written then", async () => {
  const weak = await system.createToken(home.tokenValue, { scopes: ["tokens:write", "surveys:read"] });
  const before = (await list(home.tokenValue)).length;
  for (const scopes of [["surveys:write"], ["full_access"], ["surveys:read", "events:write"], [...allScopes]]) {
    expect(await codeOf(system.createToken(weak.tokenValue, { scopes }))).toBe("insufficient_scope");
  }
  expect(
    await refusalOf(system.createToken(weak.tokenValue, { scopes: ["surveys:read", "exports:write"] })),
  ).toMatchObject({
    details: { required_scope: "exports:write" },
  });
  expect(await list(home.tokenValue)).toHaveLength(before);
});

test("events:write is given by full access only while its person may manage webhooks", async () => {
  const workspace = await system.createWorkspace();
  const full = await system.createToken(workspace.tokenValue, { scopes: ["full_access"] });
  const setRole = (role: string) =>
    system.sql("UPDATE memberships SET role = $2 WHERE workspace_id = $1", [workspace.workspaceId, role]);
  expect(((await system.authenticate(full.tokenValue)) as Caller).scopes).not.toContain("events:write");
  expect((await system.createToken(full.tokenValue, { scopes: ["events:write"] })).token!.scopes).toEqual([
    "events:write",
  ]);
  await setRole("editor");
  expect(await codeOf(system.createToken(full.tokenValue, { scopes: ["events:write"] }))).toBe("insufficient_scope");
});

test("a token stronger than the one in use is neither changed, rotated nor revoked", async () => {
  const strong = await system.createToken(home.tokenValue, { scopes: ["surveys:write"] });
  const weak = await system.createToken(home.tokenValue, { scopes: ["tokens:write", "surveys:read"] });
  const options = await system.as(weak.tokenValue);
  const tokenId = strong.token!.tokenId;
  expect(await codeOf(system.peer.updateToken({ tokenId, name: "mine now" }, options))).toBe("forbidden");
  expect(await codeOf(system.peer.updateToken({ tokenId, scopes: { scopes: ["surveys:read"] } }, options))).toBe(
    "forbidden",
  );
  expect(await codeOf(system.peer.rotateToken({ tokenId }, options))).toBe("forbidden");
  expect(await codeOf(system.peer.revokeToken({ tokenId }, options))).toBe("forbidden");
  expect(await system.authenticate(strong.tokenValue)).toMatchObject({ tokenName: "a token" });
  expect(await auditOf(tokenId)).toHaveLength(1);
});

test("a token does not widen itself", async () => {
  const weak = await system.createToken(home.tokenValue, { scopes: ["tokens:write"] });
  const wider = { tokenId: weak.token!.tokenId, scopes: { scopes: ["tokens:write", "surveys:write"] } };
  expect(await codeOf(system.peer.updateToken(wider, await system.as(weak.tokenValue)))).toBe("insufficient_scope");
});
