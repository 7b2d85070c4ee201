import { allScopes, defaultScopes, isTokenValue } from "@canvass/access";
import type { Caller } from "@canvass/proto/access";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { codeOf, firstActions, refusalOf, startTokenSystem, type Workspace } from "./token-system.ts";

const system = await sharedByFile(startTokenSystem());

const auditOf = (workspaceId: string) =>
  system.sql(
    "SELECT actor, action, resource_type, resource_id, before, after FROM audit_entries WHERE workspace_id = $1 ORDER BY entry_id",
    [workspaceId],
  );

const laterAuditOf = async (workspaceId: string) => (await auditOf(workspaceId)).slice(firstActions.length);

async function addPerson({ workspaceId }: Workspace, email: string, role: string): Promise<string> {
  return (await system.operator.addPerson({ workspaceId, name: "Grace", email, role })).personId;
}

const callerOf = async (value: string, workspaceId?: string) =>
  (await system.authenticate(value, workspaceId)) as Caller;

test("a plan is in the next caller and in the audit log; the same plan again changes nothing", async () => {
  const { workspaceId, tokenValue } = await system.createWorkspace({ plan: "free" });
  await system.operator.setPlan({ workspaceId, plan: "professional" });
  await system.operator.setPlan({ workspaceId, plan: "professional" });
  expect(await callerOf(tokenValue)).toMatchObject({ plan: "professional" });
  expect(await laterAuditOf(workspaceId)).toEqual([
    {
      actor: "operator",
      action: "workspace.plan_changed",
      resource_type: "workspace",
      resource_id: workspaceId,
      before: { plan: "free" },
      after: { plan: "professional" },
    },
  ]);
});

test("a person is a member of several workspaces, with a role in each", async () => {
  const [home, other] = [await system.createWorkspace(), await system.createWorkspace({ plan: "free" })];
  const personId = await addPerson(home, "Several@Example.com", "editor");
  expect(await addPerson(other, "several@example.com", "viewer")).toBe(personId);
  const { tokenValue } = await system.operator.issueToken({
    workspaceId: home.workspaceId,
    personId,
    name: "everything",
    scopes: { scopes: ["full_access"] },
    live: true,
  });
  expect((await callerOf(tokenValue)).permissions).toContain("surveys:write");
  const there = await callerOf(tokenValue, other.workspaceId);
  expect(there).toMatchObject({ workspaceId: other.workspaceId, plan: "free", personId });
  expect(there.permissions).not.toContain("surveys:write");
  expect(there.permissions).not.toContain("audit:read");
  const third = await system.createWorkspace();
  expect(await system.authenticate(tokenValue, third.workspaceId)).toBe("workspace_not_accessible");
  const again = system.operator.addPerson({
    workspaceId: home.workspaceId,
    name: "x",
    email: "several@example.com",
    role: "owner",
  });
  expect(await refusalOf(again)).toMatchObject({ code: "validation_failed", details: { email: [expect.anything()] } });
});

test("a role acts on tokens at once, and is audited", async () => {
  const home = await system.createWorkspace();
  const { workspaceId } = home;
  const personId = await addPerson(home, "role@example.com", "viewer");
  const { tokenValue } = await system.operator.issueToken({
    workspaceId,
    personId,
    name: "t",
    scopes: { scopes: ["full_access", "events:write"] },
  });
  const permissions = async () => (await callerOf(tokenValue)).permissions;
  expect(await permissions()).not.toContain("events:write");
  await system.operator.setRole({ workspaceId, personId, role: "admin" });
  expect(await permissions()).toContain("events:write");
  await system.operator.setRole({ workspaceId, personId, role: "editor" });
  expect(await permissions()).not.toContain("events:write");
  expect(await permissions()).toContain("surveys:write");
  expect(await laterAuditOf(workspaceId)).toMatchObject([
    {
      action: "person.added",
      resource_id: personId,
      before: null,
      after: { email: "role@example.com", role: "viewer" },
    },
    { action: "token.created", resource_type: "token", after: { person_id: personId, is_live: false } },
    { action: "person.role_changed", before: { role: "viewer" }, after: { role: "admin" } },
    { action: "person.role_changed", before: { role: "admin" }, after: { role: "editor" } },
  ]);
});

test("a custom role is its powers, in its workspace alone", async () => {
  const [home, other] = [await system.createWorkspace(), await system.createWorkspace()];
  const { workspaceId } = home;
  const { roleId } = await system.operator.createRole({
    workspaceId,
    name: "Hooks",
    powers: ["manage_webhooks", "view_results", "manage_webhooks"],
  });
  const personId = await addPerson(home, "hooks@example.com", "Hooks");
  const { tokenValue } = await system.operator.issueToken({
    workspaceId,
    personId,
    name: "t",
    scopes: { scopes: [...allScopes] },
  });
  const { permissions } = await callerOf(tokenValue);
  expect(permissions).toEqual(expect.arrayContaining(["events:write", "responses:read"]));
  expect(permissions).not.toContain("surveys:write");
  await system.operator.setRole({ workspaceId, personId, role: "viewer" });
  await system.operator.setRole({ workspaceId, personId, role: "Hooks" });
  expect(await laterAuditOf(workspaceId)).toMatchObject([
    {
      action: "role.created",
      resource_id: roleId,
      after: { name: "Hooks", powers: ["manage_webhooks", "view_results"] },
    },
    { action: "person.added", after: { role: "Hooks" } },
    { action: "token.created" },
    { before: { role: "Hooks" }, after: { role: "viewer" } },
    { before: { role: "viewer" }, after: { role: "Hooks" } },
  ]);
  expect(await codeOf(addPerson(other, "hooks@example.com", "Hooks"))).toBe("validation_failed");
});

test.each([
  [{ name: "Hooks", powers: ["manage_webhooks"] }, "fine"],
  [{ name: "Hooks", powers: ["edit_surveys"] }, "name"],
  [{ name: " Hooks ", powers: ["edit_surveys"] }, "name"],
  [{ name: "Owner", powers: ["edit_surveys"] }, "name"],
  [{ name: "custom", powers: ["edit_surveys"] }, "name"],
  [{ name: "", powers: ["edit_surveys"] }, "name"],
  [{ name: "a\u0000", powers: ["edit_surveys"] }, "name"],
  [{ name: "a\u00ad", powers: ["edit_surveys"] }, "name"],
  [{ name: "\ud800a", powers: ["edit_surveys"] }, "name"],
  [{ name: "None", powers: [] }, "powers"],
  [{ name: "Wrong", powers: ["edit_surveys", "constructor"] }, "powers"],
])("creating the role %j is fine, or refused for a field: %s", async (role, verdict) => {
  shared ??= await system.createWorkspace();
  const made = system.operator.createRole({ workspaceId: shared.workspaceId, ...role });
  if (verdict === "fine") {
    expect((await made).roleId).toMatch(/^[0-9a-z]{16}$/);
  } else {
    const { code, details } = await refusalOf(made);
    expect([code, Object.keys(details)]).toEqual(["validation_failed", [verdict]]);
  }
});
let shared: Workspace | undefined;

test("of equal roles made at the same time there is one", async () => {
  const { workspaceId } = await system.createWorkspace();
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () =>
      codeOf(system.operator.createRole({ workspaceId, name: "Same", powers: ["view_results"] })),
    ),
  );
  expect(outcomes.sort()).toEqual(["fine", ...Array.from({ length: 7 }, () => "validation_failed")]);
});

test("a workspace keeps an owner, also when all of them step down at the same time", async () => {
  const home = await system.createWorkspace();
  const { workspaceId } = home;
  const demote = (personId: string) => codeOf(system.operator.setRole({ workspaceId, personId, role: "viewer" }));
  expect(await demote(home.personId)).toBe("validation_failed");
  const others = await Promise.all([1, 2, 3].map((n) => addPerson(home, `owner${n}@example.com`, "owner")));
  const outcomes = await Promise.all([home.personId, ...others].map(demote));
  expect(outcomes.sort()).toEqual(["fine", "fine", "fine", "validation_failed"]);
  expect(
    await system.sql("SELECT count(*)::int AS n FROM memberships WHERE workspace_id = $1 AND role = 'owner'", [
      workspaceId,
    ]),
  ).toEqual([{ n: 1 }]);
});

test("an issued token has the requested scopes, or the default ones", async () => {
  const { workspaceId, personId } = await system.createWorkspace();
  const issued = await system.operator.issueToken({ workspaceId, personId, name: "plain", live: true });
  expect(issued.token).toMatchObject({ name: "plain", scopes: defaultScopes, live: true });
  expect(isTokenValue(issued.tokenValue)).toBe(true);
  expect(issued.tokenValue).toMatch(/^cvs_live_/);
  const trial = await system.operator.issueToken({ workspaceId, personId, name: "trial" });
  expect(trial.tokenValue).toMatch(/^cvs_test_/);
  expect(await callerOf(trial.tokenValue)).toMatchObject({ live: false, tokenName: "trial" });
});

test("an operator revokes the token of any member once, and the audit log records it", async () => {
  const { workspaceId, tokenId, tokenValue } = await system.createWorkspace();
  const entries = () =>
    system.sql(
      `SELECT actor, resource_id AS token, before->>'name' AS name FROM audit_entries
       WHERE workspace_id = $1 AND action = 'token.revoked'`,
      [workspaceId],
    );
  for (let time = 0; time < 2; time += 1) {
    await system.operator.revokeMemberToken({ workspaceId, tokenId });
    expect(await system.authenticate(tokenValue)).toBe("invalid_token");
    expect(await entries()).toEqual([{ actor: "operator", token: tokenId, name: "Owner" }]);
  }
});

test("missing and malformed references are violations at their field, and nothing is written", async () => {
  const [home, other] = [await system.createWorkspace(), await system.createWorkspace()];
  const { workspaceId, personId } = home;
  const { operator } = system;
  const nobody = "0".repeat(16);
  type Attempt = [() => Promise<unknown>, string];
  const attempts: Attempt[] = [
    ...[nobody, "", "x\u0000", `${workspaceId} `].flatMap((absent): Attempt[] => [
      [() => operator.setPlan({ workspaceId: absent, plan: "free" }), "workspace"],
      [
        () => operator.addPerson({ workspaceId: absent, name: "x", email: "x@example.com", role: "viewer" }),
        "workspace",
      ],
      [() => operator.setRole({ workspaceId: absent, personId, role: "viewer" }), "workspace"],
      [() => operator.createRole({ workspaceId: absent, name: "x", powers: ["edit_surveys"] }), "workspace"],
      [() => operator.issueToken({ workspaceId: absent, personId, name: "x" }), "workspace"],
      [() => operator.revokeMemberToken({ workspaceId: absent, tokenId: home.tokenId }), "workspace"],
      [() => operator.listWorkspaceAuditLog({ workspaceId: absent }), "workspace"],
    ]),
    [() => operator.setPlan({ workspaceId, plan: "gold" }), "plan"],
    [() => operator.addPerson({ workspaceId, name: "x", email: "nobody", role: "viewer" }), "email"],
    [() => operator.addPerson({ workspaceId, name: "x", email: "a\u202e@example.com", role: "viewer" }), "email"],
    [() => operator.addPerson({ workspaceId, name: "x", email: "a@b,c@example.com", role: "viewer" }), "email"],
    [() => operator.addPerson({ workspaceId, name: "x\u200e", email: "x@example.com", role: "viewer" }), "name"],
    [() => operator.addPerson({ workspaceId, name: "x", email: "x@example.com", role: "king" }), "role"],
    [() => operator.addPerson({ workspaceId, name: "x", email: "x@example.com", role: "custom" }), "role"],
    [() => operator.addPerson({ workspaceId, name: "x", email: "x@example.com", role: "a\u0000" }), "role"],
    [() => operator.setRole({ workspaceId, personId, role: "constructor" }), "role"],
    ...[nobody, other.personId, "a\u0000"].flatMap((absent): Attempt[] => [
      [() => operator.setRole({ workspaceId, personId: absent, role: "viewer" }), "person"],
      [() => operator.issueToken({ workspaceId, personId: absent, name: "x" }), "person"],
    ]),
    ...[nobody, other.tokenId, "a\u0000"].map((absent): Attempt => {
      return [() => operator.revokeMemberToken({ workspaceId, tokenId: absent }), "token"];
    }),
    [() => operator.issueToken({ workspaceId, personId, name: "" }), "name"],
    [() => operator.issueToken({ workspaceId, personId, name: "\ud800" }), "name"],
    [() => operator.issueToken({ workspaceId, personId, name: "x", scopes: { scopes: ["root"] } }), "scopes"],
    [() => operator.issueToken({ workspaceId, personId, name: "x", scopes: { scopes: [] } }), "scopes"],
  ];
  for (const [attempt, field] of attempts) {
    const { code, details } = await refusalOf(attempt());
    expect([code, Object.keys(details)]).toEqual(["validation_failed", [field]]);
  }
  expect(await laterAuditOf(workspaceId)).toEqual([]);
  expect(await system.sql("SELECT 1 FROM people WHERE email = 'x@example.com'")).toEqual([]);
});
