import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { AuditPage } from "@canvass/proto/token";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf, firstActions, refusalOf, startTokenSystem, type TokenSystem, type Workspace } from "./token-system.ts";

let system: TokenSystem;
let home: Workspace;

beforeAll(async () => {
  system = await startTokenSystem();
  home = await system.createWorkspace();
});
afterAll(() => system[Symbol.asyncDispose]());

interface Query {
  actor?: string;
  action?: string;
  resource?: string;
  from?: Date;
  to?: Date;
  limit?: number;
  cursor?: string;
}

async function page(workspace: Workspace, { from, to, ...query }: Query = {}): Promise<AuditPage> {
  const { page } = await system.audit.listAuditLog(
    { query: { ...query, ...(from && { from: timestampFromDate(from) }), ...(to && { to: timestampFromDate(to) }) } },
    await system.as(workspace.tokenValue),
  );
  return page!;
}

const auditOf = (resourceId: string) =>
  system.sql("SELECT * FROM audit_entries WHERE resource_id = $1 ORDER BY entry_id", [resourceId]);

test("each change leaves one audit entry with author, address, action, before and after", async () => {
  const { token } = await system.createToken(home.tokenValue, { name: "before", scopes: ["surveys:read"] });
  const tokenId = token!.tokenId;
  const options = await system.as(home.tokenValue, { requestId: "req-7", clientAddress: "2001:db8::7" });
  await system.peer.updateToken({ tokenId, name: "after" }, options);
  const rotated = await system.peer.rotateToken({ tokenId }, options);
  await system.peer.revokeToken({ tokenId: rotated.token!.tokenId }, options);
  const entries = [...(await auditOf(tokenId)), ...(await auditOf(rotated.token!.tokenId))];
  expect(entries.map(({ action }) => action)).toEqual([
    "token.created",
    "token.updated",
    "token.rotated",
    "token.created",
    "token.revoked",
  ]);
  expect(entries[1]).toMatchObject({
    workspace_id: home.workspaceId,
    actor: "person",
    person_id: home.personId,
    person_name: "Ada",
    token_id: home.tokenId,
    token_name: "Owner",
    address: "2001:db8::7",
    request_id: "req-7",
    before: { name: "before", scopes: ["surveys:read"], is_live: true, expires_at: null },
    after: { name: "after", scopes: ["surveys:read"], is_live: true, expires_at: null },
  });
});

test("a token born by rotation has an entry of its own, which names the one it replaces", async () => {
  const { token } = await system.createToken(home.tokenValue, { name: "nightly", scopes: ["surveys:read"] });
  const oldTokenId = token!.tokenId;
  const options = await system.as(home.tokenValue, { requestId: "req-9", clientAddress: "192.0.2.9" });
  const rotated = await system.peer.rotateToken({ tokenId: oldTokenId }, options);
  const { entries } = await page(home, { resource: rotated.token!.tokenId });
  expect(entries).toMatchObject([
    { action: "token.created", actor: "person", tokenId: home.tokenId, requestId: "req-9", beforeJson: "" },
  ]);
  expect(JSON.parse(entries[0]!.afterJson)).toEqual({
    name: "nightly",
    scopes: ["surveys:read"],
    is_live: true,
    expires_at: null,
    person_id: home.personId,
    old_token_id: oldTokenId,
  });
});

test("no token is without its entry, however it was born", async () => {
  const { workspaceId, personId, tokenValue } = await system.createWorkspace();
  const { token } = await system.createToken(tokenValue);
  await system.peer.rotateToken({ tokenId: token!.tokenId }, await system.as(tokenValue));
  await system.operator.issueToken({ workspaceId, personId, name: "issued" });
  const unexplained = await system.sql(
    `SELECT token_id FROM api_tokens t WHERE NOT EXISTS (SELECT FROM audit_entries e
       WHERE e.workspace_id = t.workspace_id AND e.resource_id = t.token_id AND e.action = 'token.created')`,
  );
  expect(unexplained).toEqual([]);
});

test("the list shows entries newest first, with the names as they were", async () => {
  const workspace = await system.createWorkspace();
  const as = await system.as(workspace.tokenValue, { requestId: "req-8", clientAddress: "192.0.2.8" });
  await system.peer.updateToken({ tokenId: workspace.tokenId, name: "Renamed" }, as);
  const { entries } = await page(workspace);
  expect(entries.map(({ action }) => action)).toEqual(["token.updated", ...firstActions.toReversed()]);
  expect(entries[0]).toMatchObject({
    actor: "person",
    personId: workspace.personId,
    personName: "Ada",
    tokenId: workspace.tokenId,
    tokenName: "Owner",
    clientAddress: "192.0.2.8",
    requestId: "req-8",
    resourceType: "token",
    resourceId: workspace.tokenId,
  });
  expect(JSON.parse(entries[0]!.beforeJson)).toMatchObject({ name: "Owner" });
  expect(JSON.parse(entries[0]!.afterJson)).toMatchObject({ name: "Renamed" });
  expect(timestampDate(entries[0]!.occurredAt!)).toEqual(system.clock.now());
  expect(entries.at(-1)).toMatchObject({ actor: "operator", personId: "", tokenId: "", beforeJson: "" });
});

test("pages are complete and without repetition, also among changes of one moment and while more are made", async () => {
  const workspace = await system.createWorkspace();
  for (let minute = 0; minute < 3; minute += 1) {
    for (let count = 0; count < 7; count += 1) await system.createToken(workspace.tokenValue);
    system.clock.advance(60_000);
  }
  const all = (await page(workspace, { limit: 100 })).entries.map(({ entryId }) => entryId);
  expect(all).toHaveLength(firstActions.length + 21);
  const seen: string[] = [];
  let cursor = "";
  do {
    const next = await page(workspace, { limit: 4, cursor });
    seen.push(...next.entries.map(({ entryId }) => entryId));
    cursor = next.nextCursor;
    await system.createToken(workspace.tokenValue);
  } while (cursor !== "");
  expect(seen).toEqual(all);
});

test("each filter selects its matches, alone and with others", async () => {
  const workspace = await system.createWorkspace();
  const start = system.clock.now();
  const second = await system.createToken(workspace.tokenValue, { name: "second", scopes: ["full_access"] });
  system.clock.advance(60_000);
  const third = await system.createToken(second.tokenValue, { name: "third" });
  system.clock.advance(60_000);
  await system.peer.revokeToken({ tokenId: third.token!.tokenId }, await system.as(workspace.tokenValue));
  const { workspaceId, personId } = workspace;
  await system.operator.setPlan({ workspaceId, plan: "free" });
  const actions = async (query: Query) => (await page(workspace, query)).entries.map(({ action }) => action);
  const [created, revoked] = ["token.created", "token.revoked"];
  const first = firstActions.toReversed();
  expect(await actions({ actor: personId })).toEqual([revoked, created, created]);
  expect(await actions({ actor: second.token!.tokenId })).toEqual([created]);
  expect(await actions({ actor: "operator" })).toEqual(["workspace.plan_changed", ...first]);
  expect(await actions({ action: created })).toEqual([created, created, created]);
  expect(await actions({ resource: third.token!.tokenId })).toEqual([revoked, created]);
  expect(await actions({ resource: "workspace" })).toEqual(["workspace.plan_changed", "workspace.created"]);
  const minute = (count: number) => new Date(start.getTime() + count * 60_000);
  expect(await actions({ from: minute(1) })).toEqual(["workspace.plan_changed", revoked, created]);
  expect(await actions({ to: minute(1) })).toEqual([created, ...first]);
  expect(await actions({ from: minute(1), to: minute(2) })).toEqual([created]);
  expect(await actions({ actor: personId, action: created, resource: "token", from: minute(1) })).toEqual([created]);
  expect(await actions({ actor: "0".repeat(16) })).toEqual([]);
  const begun = await page(workspace, { actor: personId, limit: 2 });
  expect(begun.entries).toHaveLength(2);
  expect((await page(workspace, { actor: personId, limit: 2, cursor: begun.nextCursor })).entries).toHaveLength(1);
});

test("filters that name nothing, and cursors of another list, are refused together", async () => {
  const { nextCursor } = await page(home, { limit: 1 });
  const wrong = { actor: "me", action: "token.eaten", resource: "cake", cursor: nextCursor, limit: 101 };
  const refused = await refusalOf(page(home, wrong));
  expect(refused.code).toBe("validation_failed");
  expect(Object.keys(refused.details).sort()).toEqual(["action", "actor", "cursor", "limit", "resource"]);
  const stranger = await system.createWorkspace();
  for (const attempt of [
    () => page(stranger, { limit: 1, cursor: nextCursor }),
    () => page(home, { cursor: nextCursor, action: "token.created" }),
    () => page(home, { cursor: nextCursor, from: new Date(0) }),
    () => page(home, { cursor: `${nextCursor.slice(0, -1)}${nextCursor.endsWith("A") ? "B" : "A"}` }),
    () => page(home, { cursor: "x" }),
  ]) {
    expect(await codeOf(attempt())).toBe("validation_failed");
  }
});

test("another workspace's changes are hidden", async () => {
  const stranger = await system.createWorkspace();
  const { entries } = await page(stranger, { limit: 100 });
  const { workspaceId, personId, tokenId } = stranger;
  expect(entries.map(({ resourceId }) => resourceId)).toEqual([tokenId, personId, workspaceId]);
  expect((await page(stranger, { resource: home.workspaceId })).entries).toEqual([]);
  expect((await page(stranger, { actor: home.personId })).entries).toEqual([]);
});

test("the cost of a page of a long log depends on the page only, for any filter", async () => {
  const workspaceId = "w".repeat(16);
  await system.sql(
    `INSERT INTO audit_entries (workspace_id, entry_id, at, actor, person_id, token_id, action, resource_type, resource_id)
     SELECT $1, lpad(n::text, 16, '0'), timestamptz '2026-01-01' + n * interval '1 s', 'person',
       lpad((n % 50)::text, 16, 'p'), lpad((n % 70)::text, 16, 't'), CASE n % 400 WHEN 0 THEN 'role.created' ELSE 'token.created' END,
       CASE n % 300 WHEN 0 THEN 'role' ELSE 'token' END, lpad((n % 90)::text, 16, 'r')
     FROM generate_series(1, 20000) AS n`,
    [workspaceId],
  );
  await system.sql("ANALYZE audit_entries");
  for (const condition of [
    "true",
    "person_id = lpad('7', 16, 'p')",
    "person_id IS NULL",
    "token_id = lpad('7', 16, 't')",
    "action = 'role.created'",
    "resource_id = lpad('7', 16, 'r')",
    "resource_type = 'role'",
  ]) {
    const rows = await system.sql(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT entry_id, before FROM audit_entries WHERE workspace_id = $1
         AND at >= '-infinity' AND at < 'infinity' AND (at, entry_id) < (timestamptz '2026-01-01 04:00Z', '')
         AND ${condition} ORDER BY at DESC, entry_id DESC LIMIT 50`,
      [workspaceId],
    );
    const plan = (rows[0]!["QUERY PLAN"] as { Plan: Record<string, number> }[])[0]!.Plan;
    const costs = { condition, much: plan["Shared Hit Blocks"]! + plan["Shared Read Blocks"]! > 150 };
    expect(costs).toEqual({ condition, much: false });
  }
});

test("a page has a bounded number of bytes, and its cursor continues where it was cut", async () => {
  const workspace = await system.createWorkspace();
  const { workspaceId, personId, tokenId } = workspace;
  await system.sql(
    `INSERT INTO audit_entries (workspace_id, entry_id, at, actor, person_id, token_id, action, resource_type, resource_id, before, after)
     SELECT $1, lpad(n::text, 16, '0'), timestamptz '2036-01-01' + (n / 3) * interval '1 s', 'person', $2, $3,
       'survey.updated', 'survey', lpad('s', 16, 's'), NULLIF(jsonb_build_object('is', state), '{"is": ""}'), jsonb_build_object('is', state)
     FROM generate_series(1, 60) AS n, repeat('x', CASE WHEN n = 30 THEN 400000 WHEN n % 5 = 0 THEN 0 ELSE 16000 END) AS state`,
    [workspaceId, personId, tokenId],
  );
  const expected = Array.from({ length: 60 }, (_, at) => `${60 - at}`.padStart(16, "0"));
  const actors: Query[] = [{}, { actor: personId }, { actor: tokenId, action: "survey.updated" }];
  for (const filter of actors) {
    const seen: string[] = [];
    let cursor = "";
    do {
      const { entries, nextCursor, hasMore } = await page(workspace, { ...filter, limit: 100, cursor });
      const bytes = entries.map(({ beforeJson, afterJson }) => beforeJson.length + afterJson.length);
      expect(bytes.length === 1 || bytes.reduce((sum, each) => sum + each, 0) <= 262_144).toBe(true);
      expect(hasMore).toBe(nextCursor !== "");
      seen.push(...entries.map(({ entryId }) => entryId));
      cursor = nextCursor;
    } while (cursor !== "");
    expect(seen.slice(0, 60)).toEqual(expected);
    expect(seen.length).toBe(new Set(seen).size);
  }
});

test("the audit log refuses UPDATE, DELETE and TRUNCATE, also by an administrator", async () => {
  for (const statement of [
    "UPDATE audit_entries SET action = 'x'",
    "DELETE FROM audit_entries",
    "TRUNCATE audit_entries",
  ]) {
    await expect(system.sql(statement)).rejects.toThrow("never changed or removed");
  }
});
