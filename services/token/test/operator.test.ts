import { allScopes } from "@canvass/access";
import type { Caller } from "@canvass/proto/access";
import { OperatorService } from "@canvass/proto/token";
import { callOptions, createRpcClient } from "@canvass/rpc";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { codeOf, startTokenSystem } from "./token-system.ts";

const system = await sharedByFile(startTokenSystem());

const request = { name: "Acme", plan: "starter", ownerName: "Ada", ownerEmail: "ada@example.com" };

const auditOf = (workspaceId: string) =>
  system.sql(
    "SELECT actor, action, resource_type, resource_id, before, after FROM audit_entries WHERE workspace_id = $1 ORDER BY entry_id",
    [workspaceId],
  );

const callerOf = async (value: string, workspaceId?: string) =>
  (await system.authenticate(value, workspaceId)) as Caller;

test("an operator gets a workspace, its owner, and a token holding every scope", async () => {
  const made = await system.operator.createWorkspace(request);
  const caller = await callerOf(made.tokenValue);
  expect(caller).toMatchObject({ workspaceId: made.workspaceId, personId: made.personId, tokenId: made.tokenId });
  expect(caller).toMatchObject({ plan: "starter", timeZone: "UTC", live: true });
  expect([...caller.permissions].sort()).toEqual([...allScopes].sort());
});

test("workspace, owner and first token each have their entry in the audit log", async () => {
  const { workspaceId, personId, tokenId, tokenValue } = await system.operator.createWorkspace(request);
  const operator = { actor: "operator", before: null };
  const token = { name: "Owner", scopes: allScopes, is_live: true, expires_at: null, person_id: personId };
  const workspace = { name: "Acme", plan: "starter", time_zone: "UTC", owner: personId };
  expect(await auditOf(workspaceId)).toMatchObject([
    { ...operator, action: "workspace.created", resource_id: workspaceId, after: workspace },
    { ...operator, action: "person.added", resource_id: personId, after: { email: "ada@example.com", role: "owner" } },
    { ...operator, action: "token.created", resource_type: "token", resource_id: tokenId, after: token },
  ]);
  const shown = await system.audit.listAuditLog({ query: { resource: tokenId } }, await system.as(tokenValue));
  expect(shown.page!.entries.map(({ action }) => action)).toEqual(["token.created"]);
});

test("an operator is known by the address the command connects from, and by its request", async () => {
  const { config, url } = system;
  const access = { url, operatorKey: config.CANVASS_OPERATOR_KEY };
  await using operator = createRpcClient(OperatorService, { ...access, requestId: "command-1" });
  const { workspaceId, personId } = await operator.createWorkspace(request);
  // An address claimed in an operator's call is ignored.
  const pretence = callOptions({ clientAddress: "192.0.2.1", requestId: "command-2" });
  await operator.setPlan({ workspaceId, plan: "free" }, pretence);
  await operator.addPerson({ workspaceId, name: "x", email: "known@example.com", role: "viewer" }, pretence);
  await operator.createRole({ workspaceId, name: "x", powers: ["edit_surveys"] }, pretence);
  await operator.issueToken({ workspaceId, personId, name: "x" }, pretence);
  await operator.addPerson({ workspaceId, name: "y", email: "second@example.com", role: "owner" }, pretence);
  await operator.setRole({ workspaceId, personId, role: "admin" }, pretence);
  const { page } = await operator.listWorkspaceAuditLog({ workspaceId });
  expect(page!.entries.map(({ clientAddress }) => clientAddress)).toEqual(Array(9).fill("127.0.0.1"));
  expect(page!.entries.map(({ requestId }) => requestId)).toEqual([
    ...Array<string>(6).fill("command-2"),
    ...Array<string>(3).fill("command-1"),
  ]);
});

test("a faulty request names every fault and writes nothing", async () => {
  const count = "SELECT (SELECT count(*) FROM workspaces)::int AS w, (SELECT count(*) FROM people)::int AS p";
  const before = await system.sql(count);
  const wrong = { name: "\u200b", plan: "gold", ownerName: "\u202eAda", ownerEmail: "nobody", timeZone: "Mars" };
  await expect(system.operator.createWorkspace(wrong)).rejects.toMatchObject({
    code: "validation_failed",
    details: expect.objectContaining({
      name: expect.anything(),
      plan: expect.anything(),
      owner_name: expect.anything(),
      owner_email: expect.anything(),
    }),
  });
  expect(await system.sql(count)).toEqual(before);
});

test("only an operator is let in", async () => {
  const { config } = system;
  const { workspaceId, personId, tokenId } = await system.createWorkspace();
  for (const operatorKey of [undefined, "", config.CANVASS_PEER_KEY]) {
    const keys = { operatorKey, peerKey: config.CANVASS_PEER_KEY };
    await using unauthenticated = createRpcClient(OperatorService, { url: system.url, ...keys });
    for (const attempt of [
      () => unauthenticated.createWorkspace(request),
      () => unauthenticated.setPlan({ workspaceId, plan: "free" }),
      () => unauthenticated.addPerson({ workspaceId, name: "x", email: "x@example.com", role: "owner" }),
      () => unauthenticated.setRole({ workspaceId, personId, role: "viewer" }),
      () => unauthenticated.createRole({ workspaceId, name: "x", powers: ["edit_surveys"] }),
      () => unauthenticated.issueToken({ workspaceId, personId, name: "x" }),
      () => unauthenticated.revokeMemberToken({ workspaceId, tokenId }),
      () => unauthenticated.listWorkspaceAuditLog({ workspaceId }),
    ]) {
      expect(await codeOf(attempt())).toBe("unauthorized");
    }
  }
});

test("six workspaces for one new owner at the same time make one person", async () => {
  const ownerEmail = "grace@example.com";
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      system.operator.createWorkspace({ ...request, name: `W${index}`, ownerEmail }),
    ),
  );
  expect(new Set(made.map(({ personId }) => personId)).size).toBe(1);
  expect(new Set(made.map(({ workspaceId }) => workspaceId)).size).toBe(6);
});
