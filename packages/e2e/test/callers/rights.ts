import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient, type ApiClient, type DemoSystem, type OtherWorkspace } from "../../src/index.ts";
import { connectOperator } from "../../src/connect-operator.ts";
import { openDatabases } from "../databases.ts";
import { expectRefusal } from "../expected-shapes.ts";
import type { SecondGateway } from "../second-gateway.ts";
import type { SharedSystem } from "../shared-system.ts";

let demo: DemoSystem;
let operator: ReturnType<typeof connectOperator>;
let workspace: OtherWorkspace;
let elsewhere: ApiClient;

/** Waits until every gateway responds with the status. */
async function untilBoth(status: number, ask: (api: ApiClient) => Promise<{ status: number }>): Promise<void> {
  for (const api of [workspace.api, elsewhere]) {
    await waitFor(async () => (await ask(api)).status === status, { describe: `${status}` });
  }
}

/**
 * Tests that plans, roles and scopes take effect on every gateway (promised-times.nightly.ts measures how soon), and
 * that the audit log has the changes.
 */
export function testRights(shared: SharedSystem, gateway: () => SecondGateway): void {
  beforeAll(async () => {
    ({ demo } = shared);
    operator = connectOperator(demo.system);
    workspace = await shared.newWorkspace();
    elsewhere = createApiClient(gateway().baseUrl, workspace.token);
  });
  afterAll(async () => {
    await elsewhere?.[Symbol.asyncDispose]();
    await operator?.[Symbol.asyncDispose]();
  });

  test("every change over HTTP is in the audit log: who, with which token, from where, before and after", async () => {
    const { api } = workspace;
    const created = await api.call("POST", "/surveys", { body: { name: "First" } });
    const { id } = created.data;
    const headers = { "if-match": "*", "x-request-id": "audit-me" };
    await api.call("PATCH", `/surveys/${id}`, {
      headers,
      body: { name: "Second", settings: { access: { password: "sesame" } } },
    });
    await api.post(`/surveys/${id}/questions`, { questions: [{ type: "short_text", text: "How are you?" }] });
    await api.call("POST", `/surveys/${id}/publish`, { headers: { "if-match": "*" } });
    const feed = await api.post("/event-subscriptions", { name: "Feed", event_types: ["response.completed"] });
    await api.call("DELETE", `/event-subscriptions/${feed.data.id}`);
    const token = await api.post("/tokens", { name: "CI" });
    await waitFor(async () => (await api.call("GET", "/audit-log")).data.length === 10, {
      describe: "all changes to be in the log",
      timeoutMs: 60_000,
    });
    const { data, body } = await api.call("GET", "/audit-log");
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      "token.created",
      "subscription.deleted",
      "subscription.created",
      "survey.published",
      "survey.questions_added",
      "survey.updated",
      "survey.created",
      "token.created",
      "person.added",
      "workspace.created",
    ]);
    expect(body.pagination).toEqual({ cursor_next: null, hasMore: false });
    const { personId, tokenId } = workspace;
    const actor = { type: "person", person_id: personId, token_id: tokenId, token_name: "Owner" };
    expect(data[5]).toMatchObject({
      actor: { ...actor, person_name: "Grace" },
      ip: "127.0.0.1",
      request_id: "audit-me",
      resource: { type: "survey", id },
      before: { name: "First" },
      after: { name: "Second", settings: { access: { password: "set" } } },
    });
    for (const entry of data.slice(0, -3)) expect(entry).toMatchObject({ actor, ip: "127.0.0.1" });
    for (const entry of data.slice(-3)) expect(entry).toMatchObject({ actor: { type: "operator" }, ip: "127.0.0.1" });
    const ofToken = await api.call("GET", `/audit-log?resource=${tokenId}`);
    expect(ofToken.data).toEqual([data[7]]);
    expect(JSON.stringify(data)).not.toMatch(new RegExp(`sesame|scrypt|${token.data.token}`));
    const ofSurvey = await api.call("GET", `/audit-log?resource=${id}&action=survey.updated`);
    expect(ofSurvey.data).toEqual([data[5]]);
    expectRefusal(await demo.api.call("GET", "/audit-log?cursor=x"), 422, "validation_failed");
    expect(JSON.stringify((await demo.api.call("GET", "/audit-log")).data)).not.toContain(id);
  });

  test("another plan acts on every gateway", async () => {
    const { data } = await workspace.api.call("POST", "/surveys", { body: { name: "Branded" } });
    const hide = (api: ApiClient) =>
      api.call("PATCH", `/surveys/${data.id}`, {
        headers: { "if-match": "*" },
        body: { settings: { display: { showBranding: false } } },
      });
    await untilBoth(200, hide);
    const { workspaceId } = workspace;
    await operator.setPlan({ workspaceId, plan: "free" });
    await untilBoth(403, hide);
    expectRefusal(await hide(elsewhere), 403, "feature_locked");
    await operator.setPlan({ workspaceId, plan: "enterprise" });
    await untilBoth(200, hide);
  });

  test("who may not manage tokens sees the own ones and changes none; the audit log is closed as well", async () => {
    const { workspaceId } = workspace;
    const email = "hooks@example.org";
    await operator.createRole({ workspaceId, name: "Hooks", powers: ["manage_webhooks"] });
    const { personId } = await operator.addPerson({ workspaceId, name: "Hook", email, role: "Hooks" });
    const scopes = { scopes: ["full_access", "events:write"] };
    const issued = await operator.issueToken({ workspaceId, personId, name: "hooks", scopes, live: true });
    await using api = createApiClient(demo.system.local.baseUrl, issued.tokenValue);
    const { tokenId } = issued.token!;
    for (const [method, path, body] of [
      ["POST", "/tokens", { name: "more" }],
      ["PATCH", `/tokens/${tokenId}`, { name: "mine" }],
      ["POST", `/tokens/${tokenId}/rotate`, undefined],
      ["DELETE", `/tokens/${tokenId}`, undefined],
      ["GET", "/audit-log", undefined],
    ] as const) {
      expectRefusal(await api.call(method, path, { body }), 403, "forbidden", {});
    }
    const { data } = await api.get("/tokens");
    expect(data).toMatchObject([{ id: tokenId, name: "hooks" }]);
    expect((await api.get(`/tokens/${tokenId}`)).data).toEqual(data[0]);
    expect((await api.get("/tokens/scopes")).data.default_scopes).toContain("surveys:read");
    await operator.setRole({ workspaceId, personId, role: "admin" });
    const seen = () => api.call("GET", "/audit-log");
    await waitFor(async () => (await seen()).status === 200, { describe: "the larger role to act" });
    expect((await api.post(`/tokens/${tokenId}/rotate`)).data.old_token_id).toBe(tokenId);
  });

  test("a weak token cannot change a stronger one, and the refusal names the missing scope", async () => {
    const { api: owner } = workspace;
    const strong = await owner.post("/tokens", { name: "strong", scopes: ["surveys:write"] });
    const weak = await owner.post("/tokens", { name: "weak", scopes: ["tokens:write"] });
    await using api = createApiClient(demo.system.local.baseUrl, weak.data.token);
    const path = `/tokens/${strong.data.id}`;
    const lacking = { required_scope: "surveys:write", missing_scopes: ["surveys:write"] };
    for (const [method, at, body] of [
      ["PATCH", path, { name: "mine" }],
      ["POST", `${path}/rotate`, undefined],
      ["DELETE", path, undefined],
    ] as const) {
      expectRefusal(await api.call(method, at, { body }), 403, "insufficient_scope", lacking);
    }
  });

  test("a rotated token's successor has an entry of its own in the audit log", async () => {
    const { api } = workspace;
    const { data } = await api.post("/tokens", { name: "to rotate", scopes: ["surveys:read"] });
    const successor = (await api.post(`/tokens/${data.id}/rotate`)).data.id;
    const entries = (await api.get(`/audit-log?resource=${successor}`)).data;
    expect(entries).toMatchObject([
      { action: "token.created", before: null, after: { name: "to rotate", old_token_id: data.id } },
    ]);
  });

  test("a name that no list could show is refused", async () => {
    const { api } = workspace;
    for (const name of ["\u200b", "\u00ad", "\u202eevil", "a\u0085b", "\ud800", "x\udc00"]) {
      const answer = await api.call("POST", "/tokens", { body: { name } });
      expectRefusal(answer, 400, "invalid_request", { name: [expect.any(String)] });
    }
  });

  test("another role acts on every gateway", async () => {
    const { workspaceId, personId } = workspace;
    const create = (api: ApiClient) => api.call("POST", "/surveys", { body: { name: "x" } });
    await operator.addPerson({ workspaceId, name: "Deputy", email: "deputy@example.org", role: "owner" });
    await untilBoth(201, create);
    await operator.setRole({ workspaceId, personId, role: "viewer" });
    await untilBoth(403, create);
    expectRefusal(await create(elsewhere), 403, "forbidden", {});
    await operator.setRole({ workspaceId, personId, role: "owner" });
    await untilBoth(201, create);
  });

  test("when and from where a token was used is shown", async () => {
    const { data } = await workspace.api.post("/tokens", { name: "used", scopes: ["surveys:read"] });
    expect((await workspace.api.call("GET", `/tokens/${data.id}`)).data).toMatchObject({ last_used_at: null });
    const used = Date.now();
    const headers = { authorization: `Bearer ${data.token}` };
    expect((await elsewhere.call("GET", "/surveys", { headers })).status).toBe(200);
    const answered = Date.now();
    const shown = await waitFor(
      async () => {
        const token = (await workspace.api.call("GET", `/tokens/${data.id}`)).data;
        return token.last_used_at === null ? undefined : token;
      },
      { describe: "the use to be shown", timeoutMs: 60_000 },
    );
    expect(Date.parse(shown.last_used_at)).toBeGreaterThanOrEqual(used);
    expect(Date.parse(shown.last_used_at)).toBeLessThanOrEqual(answered);
    expect(shown.last_used_ip).toBe("127.0.0.1");
    const { data: tokens } = await workspace.api.call("GET", "/tokens");
    expect(tokens).toContainEqual(shown);
  });

  test("the system runs as roles that own nothing", async () => {
    await using databases = openDatabases(demo.system.local.databaseUrl);
    const rows = await databases.query(
      "token",
      `SELECT tableowner AS owner, has_table_privilege('canvass_token', 'audit_entries', 'UPDATE, DELETE, TRUNCATE') AS more
     FROM pg_tables WHERE tablename = 'audit_entries'`,
    );
    expect(rows).toEqual([{ owner: "canvass_token_owner", more: false }]);
  });
}
