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

const auditOf = (resourceId: string) =>
  system.sql("SELECT * FROM audit_entries WHERE resource_id = $1 ORDER BY entry_id", [resourceId]);

/** Gives the owner a custom role without telling holders of signed callers. */
async function setPowers({ workspaceId }: Workspace, powers: string[]): Promise<void> {
  await system.sql(
    `INSERT INTO custom_roles (workspace_id, role_id, name, powers, created_at) VALUES ($1, 'r', 'Custom', $2, now())
     ON CONFLICT (workspace_id, role_id) DO UPDATE SET powers = excluded.powers`,
    [workspaceId, powers],
  );
  await system.sql("UPDATE memberships SET role = 'custom', custom_role_id = 'r' WHERE workspace_id = $1", [
    workspaceId,
  ]);
}

const changes = (tokenId: string, options: Awaited<ReturnType<TokenSystem["as"]>>) => [
  () => system.peer.createToken({ name: "new" }, options),
  () => system.peer.updateToken({ tokenId, name: "mine now" }, options),
  () => system.peer.updateToken({ tokenId, scopes: ["surveys:read"] }, options),
  () => system.peer.rotateToken({ tokenId }, options),
  () => system.peer.revokeToken({ tokenId }, options),
];

test("without named scopes a token gets the default set, or the part of it that the giver holds", async () => {
  expect((await system.createToken(home.tokenValue)).token!.scopes).toEqual(defaultScopes);
  const narrow = await system.createToken(home.tokenValue, { scopes: ["tokens:write", "surveys:write"] });
  expect((await system.createToken(narrow.tokenValue)).token!.scopes).toEqual(["surveys:read"]);
  const none = await system.createToken(home.tokenValue, { scopes: ["tokens:write"] });
  expect(await refusalOf(system.createToken(none.tokenValue))).toMatchObject({
    code: "invalid_request",
    details: { scopes: [expect.any(String)] },
  });
});

test("granting scopes that the caller does not have is refused and writes nothing", async () => {
  const weak = await system.createToken(home.tokenValue, { scopes: ["tokens:write", "surveys:read"] });
  const before = (await system.listTokens(home.tokenValue)).length;
  for (const scopes of [["surveys:write"], ["full_access"], ["surveys:read", "events:write"], [...allScopes]]) {
    expect(await codeOf(system.createToken(weak.tokenValue, { scopes }))).toBe("insufficient_scope");
  }
  expect(
    await refusalOf(system.createToken(weak.tokenValue, { scopes: ["surveys:read", "exports:write"] })),
  ).toMatchObject({
    details: { required_scope: "exports:write" },
  });
  expect(await system.listTokens(home.tokenValue)).toHaveLength(before);
});

test("events:write is given by full access only while its person may manage webhooks", async () => {
  const workspace = await system.createWorkspace();
  const full = await system.createToken(workspace.tokenValue, { scopes: ["full_access"] });
  expect(((await system.authenticate(full.tokenValue)) as Caller).scopes).not.toContain("events:write");
  expect((await system.createToken(full.tokenValue, { scopes: ["events:write"] })).token!.scopes).toEqual([
    "events:write",
  ]);
  await setPowers(workspace, ["manage_tokens"]);
  expect(await codeOf(system.createToken(full.tokenValue, { scopes: ["events:write"] }))).toBe("insufficient_scope");
});

test("a token stronger than the one in use cannot be changed; the refusal names the missing scopes", async () => {
  const strong = await system.createToken(home.tokenValue, { scopes: ["surveys:write", "events:write"] });
  const weak = await system.createToken(home.tokenValue, { scopes: ["tokens:write", "surveys:read"] });
  const tokenId = strong.token!.tokenId;
  const [, ...others] = changes(tokenId, await system.as(weak.tokenValue));
  for (const change of others) {
    expect(await refusalOf(change())).toMatchObject({
      code: "insufficient_scope",
      message: "That token may do more than the one in use.",
      details: { required_scope: "surveys:write", missing_scopes: ["surveys:write", "events:write"] },
    });
  }
  expect(await system.authenticate(strong.tokenValue)).toMatchObject({ tokenName: "a token" });
  expect(await auditOf(tokenId)).toHaveLength(1);
});

test("only token managers change tokens; every member sees their own", async () => {
  const workspace = await system.createWorkspace();
  const { tokenId, tokenValue } = workspace;
  // A signed caller of the former, larger role: gateways may cache it for seconds.
  const former = await system.as(tokenValue);
  await setPowers(workspace, ["manage_webhooks", "edit_surveys", "view_results", "manage_contacts"]);
  for (const options of [former, await system.as(tokenValue)]) {
    for (const change of changes(tokenId, options)) {
      expect(await refusalOf(change())).toMatchObject({ code: "forbidden", details: {} });
    }
  }
  expect(await system.listTokens(tokenValue)).toMatchObject([{ tokenId, name: "Owner" }]);
  const { permissions } = (await system.authenticate(tokenValue)) as Caller;
  expect(permissions).toContain("tokens:read");
  expect(permissions).not.toContain("tokens:write");
  expect(permissions).not.toContain("audit:read");
  await setPowers(workspace, ["manage_tokens"]);
  expect(await codeOf(system.createToken(tokenValue))).toBe("fine");
});

test("in another workspace it is the role held there that counts", async () => {
  const ownerEmail = "elsewhere@example.com";
  const first = await system.createWorkspace({ ownerEmail });
  const second = await system.createWorkspace({ ownerEmail });
  await setPowers(second, ["edit_surveys"]);
  const there = await system.as(first.tokenValue, { workspaceId: second.workspaceId });
  for (const change of changes(second.tokenId, there)) expect(await codeOf(change())).toBe("forbidden");
  expect((await system.peer.listTokens({}, there)).tokens).toHaveLength(1);
  expect(await codeOf(system.createToken(first.tokenValue))).toBe("fine");
});

test("a token that may no longer manage tokens changes none, though its signed caller still lives", async () => {
  const { token, tokenValue } = await system.createToken(home.tokenValue, { scopes: ["full_access"] });
  const tokenId = token!.tokenId;
  const former = await system.as(tokenValue);
  const scopes = ["tokens:read", "surveys:write"];
  await system.peer.updateToken({ tokenId, scopes }, await system.as(home.tokenValue));
  for (const change of changes(tokenId, former)) {
    expect(await refusalOf(change())).toMatchObject({
      code: "insufficient_scope",
      details: { required_scope: "tokens:write" },
    });
  }
});

test("a token does not widen itself", async () => {
  const weak = await system.createToken(home.tokenValue, { scopes: ["tokens:write"] });
  const wider = { tokenId: weak.token!.tokenId, scopes: ["tokens:write", "surveys:write"] };
  expect(await codeOf(system.peer.updateToken(wider, await system.as(weak.tokenValue)))).toBe("insufficient_scope");
});
