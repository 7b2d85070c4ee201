import { shortestTime, waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectOperator } from "../../src/connect-operator.ts";
import { createApiClient, type ApiResponse, type ApiClient, type OtherWorkspace } from "../../src/index.ts";
import { startSecondGateway, type SecondGateway } from "../second-gateway.ts";
import type { SharedSystem } from "../shared-system.ts";
import { whileAway } from "../while-away.ts";

/** Time until every gateway knows a change, with tolerance for polling. */
const withinMs = 1_200;
/** The same time without NATS. */
const withoutNatsMs = 10_500;

let gateway: SecondGateway;
let operator: ReturnType<typeof connectOperator>;
let workspace: OtherWorkspace;
let api: ApiClient;
let elsewhere: ApiClient;

/** Waits until every gateway responds with the status. Returns the milliseconds it took. */
async function untilBoth(status: number, ask: (api: ApiClient) => Promise<ApiResponse>): Promise<number> {
  const begun = performance.now();
  for (const through of [api, elsewhere]) {
    await waitFor(async () => (await ask(through)).status === status, { describe: `${status}`, timeoutMs: 30_000 });
  }
  return performance.now() - begun;
}

/** Creates a token that both gateways have cached, and a read that uses it. */
async function knownToken(scopes: string[]) {
  const { data } = await api.post<{ id: string; token: string }>("/tokens", { name: "short-lived", scopes });
  const headers = { authorization: `Bearer ${data.token}` };
  const read = (through: ApiClient) => through.call("GET", "/surveys", { headers });
  await untilBoth(200, read);
  return { path: `/tokens/${data.id}`, read };
}

/** Each change, and how long both gateways take to apply it. */
const changes: [string, () => Promise<number>][] = [
  [
    "a revoked token",
    async () => {
      const { path, read } = await knownToken(["surveys:read"]);
      await api.call("DELETE", path);
      return untilBoth(401, read);
    },
  ],
  [
    "a rotated token",
    async () => {
      const { path, read } = await knownToken(["surveys:read"]);
      await api.call("POST", `${path}/rotate`);
      return untilBoth(401, read);
    },
  ],
  [
    "fewer scopes",
    async () => {
      const { path, read } = await knownToken(["surveys:read", "events:read"]);
      await api.call("PATCH", path, { body: { scopes: ["events:read"] } });
      return untilBoth(403, read);
    },
  ],
  [
    "another plan",
    async () => {
      const { workspaceId } = workspace;
      const body = { settings: { display: { showBranding: false } } };
      const { id } = (await api.post("/surveys", { name: "Branded" })).data;
      const hide = (through: ApiClient) =>
        through.call("PATCH", `/surveys/${id}`, { headers: { "if-match": "*" }, body });
      await untilBoth(200, hide);
      await operator.setPlan({ workspaceId, plan: "free" });
      const there = await untilBoth(403, hide);
      await operator.setPlan({ workspaceId, plan: "enterprise" });
      return Math.max(there, await untilBoth(200, hide));
    },
  ],
  [
    "another role",
    async () => {
      const { workspaceId, personId } = workspace;
      const create = (through: ApiClient) => through.call("POST", "/surveys", { body: { name: "x" } });
      await untilBoth(201, create);
      await operator.setRole({ workspaceId, personId, role: "viewer" });
      const there = await untilBoth(403, create);
      await operator.setRole({ workspaceId, personId, role: "owner" });
      return Math.max(there, await untilBoth(201, create));
    },
  ],
];

/**
 * Tests that changes of access take effect on every gateway within a second, or within ten without NATS. Stops NATS for
 * a while.
 */
export function testAccessChanges(shared: SharedSystem): void {
  beforeAll(async () => {
    const { system } = shared.demo;
    gateway = await startSecondGateway(system);
    operator = connectOperator(system);
    workspace = await shared.newWorkspace();
    ({ api } = workspace);
    elsewhere = createApiClient(gateway.baseUrl, workspace.token);
    // A second owner, because a workspace must keep one.
    const { workspaceId } = workspace;
    await operator.addPerson({ workspaceId, name: "Deputy", email: "deputy@example.org", role: "owner" });
  });
  afterAll(async () => {
    await elsewhere?.[Symbol.asyncDispose]();
    await operator?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
  });

  test.each(changes)("%s acts on every gateway within a second", async (_what, change) => {
    expect(await shortestTime(change, { withinMs })).toBeLessThan(withinMs);
  });

  test.each(changes)("%s acts on every gateway within ten seconds while NATS is stopped", async (_what, change) => {
    await whileAway(shared.demo.system, ["nats"], async () => {
      expect(await shortestTime(change, { withinMs: withoutNatsMs })).toBeLessThan(withoutNatsMs);
    });
  });
}
