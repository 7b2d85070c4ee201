import { isTokenValue, newTokenValue, tokenSha256 } from "@canvass/access";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Caller } from "@canvass/proto/access";
import { fromErrorDetail } from "@canvass/rpc";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf, startTokenSystem, type TokenSystem, type Workspace } from "./token-system.ts";

let system: TokenSystem;
let home: Workspace;

beforeAll(async () => {
  system = await startTokenSystem();
  home = await system.createWorkspace({ timeZone: "Asia/Kathmandu" });
});
afterAll(() => system[Symbol.asyncDispose]());

async function setRole(workspace: Workspace, role: string): Promise<void> {
  await system.sql(
    "UPDATE memberships SET role = $3, custom_role_id = NULL WHERE workspace_id = $1 AND person_id = $2",
    [workspace.workspaceId, workspace.personId, role],
  );
}

const permissionsOf = async (workspace: Workspace): Promise<string[]> =>
  ((await system.authenticate(workspace.tokenValue)) as Caller).permissions;

test("a token becomes a signed caller with person, workspace and token, valid for a minute", async () => {
  const caller = (await system.authenticate(home.tokenValue)) as Caller;
  expect(caller).toMatchObject({
    workspaceId: home.workspaceId,
    personId: home.personId,
    personName: "Ada",
    tokenId: home.tokenId,
    tokenName: "Owner",
    live: true,
    plan: "enterprise",
    timeZone: "Asia/Kathmandu",
  });
  expect(caller.permissions).toContain("events:write");
  expect(timestampDate(caller.expiresAt!).getTime() - timestampDate(caller.issuedAt!).getTime()).toBe(60_000);
});

test("a signed caller that is handed out always lives for at least another half minute", async () => {
  for (let seconds = 0; seconds < 90; seconds += 7) {
    system.clock.advance(7_000);
    const caller = (await system.authenticate(home.tokenValue)) as Caller;
    expect(timestampDate(caller.expiresAt!).getTime() - system.clock.now().getTime()).toBeGreaterThanOrEqual(30_000);
  }
});

test("unknown values are refused, and so are malformed hashes", async () => {
  expect(await system.authenticate(newTokenValue(true))).toBe("invalid_token");
  const { authentications } = await system.peer.batchAuthenticate({
    credentials: [{}, { tokenSha256: new Uint8Array(31) }, { tokenSha256: new Uint8Array(64) }],
  });
  expect(authentications.map(({ outcome }) => outcome.case)).toEqual(["error", "error", "error"]);
});

test("a smaller role shrinks what a token may do at once, a larger one gives it back", async () => {
  const workspace = await system.createWorkspace();
  expect(await permissionsOf(workspace)).toContain("surveys:write");
  await setRole(workspace, "viewer");
  expect(await permissionsOf(workspace)).toEqual(expect.arrayContaining(["surveys:read", "responses:read"]));
  expect(await permissionsOf(workspace)).not.toContain("surveys:write");
  expect(await permissionsOf(workspace)).not.toContain("events:write");
  await setRole(workspace, "editor");
  expect(await permissionsOf(workspace)).toContain("surveys:write");
  await setRole(workspace, "somebody");
  expect(await permissionsOf(workspace)).not.toContain("responses:read");
});

test("a custom role grants its current powers", async () => {
  const workspace = await system.createWorkspace();
  await system.sql(
    "INSERT INTO custom_roles (workspace_id, role_id, name, powers, created_at) VALUES ($1, 'r1', 'Hooks', '{manage_webhooks}', now())",
    [workspace.workspaceId],
  );
  await system.sql("UPDATE memberships SET role = 'custom', custom_role_id = 'r1' WHERE workspace_id = $1", [
    workspace.workspaceId,
  ]);
  expect(await permissionsOf(workspace)).toContain("events:write");
  expect(await permissionsOf(workspace)).not.toContain("surveys:write");
  await system.sql("UPDATE custom_roles SET powers = '{edit_surveys}' WHERE workspace_id = $1", [
    workspace.workspaceId,
  ]);
  expect(await permissionsOf(workspace)).not.toContain("events:write");
  expect(await permissionsOf(workspace)).toContain("surveys:write");
});

test("a changed plan and time zone are in the next caller", async () => {
  const workspace = await system.createWorkspace({ plan: "free" });
  expect(await system.authenticate(workspace.tokenValue)).toMatchObject({ plan: "free", timeZone: "UTC" });
  await system.sql("UPDATE workspaces SET plan = 'starter', time_zone = 'Europe/Berlin' WHERE workspace_id = $1", [
    workspace.workspaceId,
  ]);
  expect(await system.authenticate(workspace.tokenValue)).toMatchObject({ plan: "starter", timeZone: "Europe/Berlin" });
});

test("another workspace of the same person can be asked for, with the role held there", async () => {
  const ownerEmail = "both@example.com";
  const first = await system.createWorkspace({ ownerEmail });
  const second = await system.createWorkspace({ ownerEmail: "Both@Example.com", plan: "free" });
  expect(second.personId).toBe(first.personId);
  await setRole(second, "viewer");
  const there = (await system.authenticate(first.tokenValue, second.workspaceId)) as Caller;
  expect(there).toMatchObject({ workspaceId: second.workspaceId, plan: "free", tokenId: first.tokenId });
  expect(there.permissions).not.toContain("surveys:write");
  expect(await permissionsOf(first)).toContain("surveys:write");
});

test("a workspace without the person, and one that does not exist, give the same response", async () => {
  for (const workspaceId of [(await system.createWorkspace()).workspaceId, "0".repeat(16), "-", "a\u0000b", "💥"]) {
    expect(await system.authenticate(home.tokenValue, workspaceId)).toBe("workspace_not_accessible");
    // An invalid token does not reveal whether a workspace exists.
    expect(await system.authenticate(newTokenValue(true), workspaceId)).toBe("invalid_token");
  }
});

test("who left the workspace has no token for it any more", async () => {
  const workspace = await system.createWorkspace();
  await system.sql("DELETE FROM memberships WHERE workspace_id = $1", [workspace.workspaceId]);
  expect(await system.authenticate(workspace.tokenValue)).toBe("invalid_token");
  expect(await system.authenticate(workspace.tokenValue, workspace.workspaceId)).toBe("invalid_token");
});

test("a token works until the instant it expires, and so does the caller signed for it", async () => {
  const expiresAt = new Date(system.clock.now().getTime() + 20_000);
  const { tokenValue } = await system.peer.createToken(
    { name: "short", expires_at: expiresAt },
    await system.as(home.tokenValue),
  );
  const caller = (await system.authenticate(tokenValue)) as Caller;
  expect(timestampDate(caller.expiresAt!)).toEqual(expiresAt);
  system.clock.advance(19_999);
  expect(await system.authenticate(tokenValue)).toMatchObject({ tokenName: "short" });
  system.clock.advance(1);
  expect(await system.authenticate(tokenValue)).toBe("token_expired");
});

test("a batch of 500 mixed credentials gets 500 outcomes in order", async () => {
  const expired = await system.peer.createToken(
    { name: "old", expires_at: new Date(system.clock.now().getTime() + 1) },
    await system.as(home.tokenValue),
  );
  const stranger = await system.createWorkspace();
  system.clock.advance(1);
  const kinds = [
    { value: home.tokenValue, workspaceId: "", expected: home.workspaceId },
    { value: stranger.tokenValue, workspaceId: "", expected: stranger.workspaceId },
    { value: newTokenValue(true), workspaceId: "", expected: "invalid_token" },
    { value: expired.tokenValue, workspaceId: "", expected: "token_expired" },
    { value: home.tokenValue, workspaceId: stranger.workspaceId, expected: "workspace_not_accessible" },
    { value: home.tokenValue, workspaceId: home.workspaceId, expected: home.workspaceId },
    { value: home.tokenValue, workspaceId: "\u0000", expected: "workspace_not_accessible" },
  ];
  const asked = Array.from({ length: 500 }, (_, index) => kinds[(index * 5) % kinds.length]!);
  const { authentications } = await system.peer.batchAuthenticate({
    credentials: asked.map(({ value, workspaceId }) => ({ tokenSha256: tokenSha256(value), workspaceId })),
  });
  const got = authentications.map(({ outcome }) =>
    outcome.case === "identity"
      ? outcome.value.caller!.workspaceId
      : outcome.case === "error" && fromErrorDetail(outcome.value).code,
  );
  expect(got).toEqual(asked.map(({ expected }) => expected));
});

test("an empty batch is fine, one of 501 is refused", async () => {
  expect((await system.peer.batchAuthenticate({})).authentications).toEqual([]);
  const credentials = Array.from({ length: 501 }, () => ({ tokenSha256: tokenSha256("x") }));
  expect(await codeOf(system.peer.batchAuthenticate({ credentials }))).toBe("invalid_request");
});

test("the first token is a live one in the documented form", () => {
  expect(isTokenValue(home.tokenValue)).toBe(true);
  expect(home.tokenValue).toMatch(/^cvs_live_/);
});
