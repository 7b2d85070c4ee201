import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { idempotency as named } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newWorkspace, refusal, startWebhookSystem, type WebhookSystem } from "./webhook-system.ts";

let privateNow = new Set<string>();
const resolve = async (host: string): Promise<string[]> => [privateNow.has(host) ? "10.0.0.1" : "93.184.216.34"];

let system: WebhookSystem;
beforeAll(async () => void (system = await startWebhookSystem({ resolve })));
afterAll(() => system[Symbol.asyncDispose]());

let w: string;
let id: string;
beforeEach(async () => {
  privateNow = new Set();
  w = newWorkspace();
  id = (await system.createHook(w, "https://example.com/hidden-path?key=hidden")).subscription!.subscriptionId;
});

const patch = async (given: object, options = system.as(w)) =>
  (await system.subscriptions.updateSubscription({ subscriptionId: id, ...given }, options)).subscription!;
const got = async () =>
  (await system.subscriptions.getSubscription({ subscriptionId: id }, system.as(w))).subscription!;
const list = (...eventTypes: string[]) => ({ event_types: eventTypes });
const report = (fields: object) =>
  system.subscriptions.batchReportEndpointHealth({
    reports: [{ workspaceId: w, subscriptionId: id, changedAt: timestampFromDate(system.clock.now()), ...fields }],
  });
const stopped = { paused: () => patch({ status: "paused" }), disabled: () => disable("gone") };
const disable = (reason: string, fields: object = {}) =>
  system.subscriptions.disableSubscription({ workspaceId: w, subscriptionId: id, reason, ...fields });

describe("what is given changes", () => {
  test("name and address; the rest stays", async () => {
    const before = await got();
    system.clock.advance(1000);
    const updatedAt = timestampFromDate(system.clock.now());
    const renamed = await patch({ name: "Other" });
    expect(renamed).toEqual({ ...before, name: "Other", updatedAt });
    const moved = await patch({ url: "https://other.example.com/x" });
    expect(moved).toEqual({ ...renamed, url: "https://other.example.com/x" });
    expect(await got()).toEqual(moved);
    expect((await system.endpoint(w, id)).url).toBe("https://other.example.com/x");
  });

  test("a patch of what stands already changes nothing and tells nobody", async () => {
    const before = await got();
    const events = await system.published(w);
    system.clock.advance(1000);
    expect(
      await patch({ name: before.name, url: before.url, status: "active", ...list("response.completed") }),
    ).toEqual(before);
    expect(await system.published(w)).toEqual(events);
  });

  test("every fault is named at once, and nothing is written", async () => {
    const before = await got();
    privateNow = new Set(["private.example"]);
    const faulty = {
      name: " ",
      url: "https://private.example/",
      status: "disabled",
      ...list("nonsense"),
      colour: "red",
    };
    const error = await refusal(patch(faulty));
    expect([error.code, Object.keys(error.details).sort()]).toEqual([
      "validation_failed",
      ["colour", "event_types.0", "name", "status", "url"],
    ]);
    expect(await refusal(patch({ colour: "red" }))).toMatchObject({ code: "validation_failed" });
    expect(await refusal(patch({ url: "https://user:pw@example.com/" }))).toMatchObject({
      details: { url: ["must not contain a user name or password"] },
    });
    expect(await refusal(patch(list()))).toMatchObject({ details: { event_types: [expect.any(String)] } });
    expect(await refusal(patch({}))).toMatchObject({ code: "invalid_request" });
    expect(await got()).toEqual(before);
  });

  test("a feed takes no address; the fault stands beside the others", async () => {
    id = (await system.createHook(w)).subscription!.subscriptionId;
    const error = await refusal(patch({ url: "https://example.com/2", name: "" }));
    expect(Object.keys(error.details)).toEqual(["name", "url"]);
    expect(await patch({ name: "Warehouse" })).toMatchObject({ mode: "pull", name: "Warehouse", url: "" });
  });

  test("faults come before absence, absence before the plan, the plan before states", async () => {
    const free = system.as(w, { plan: "free" });
    const elsewhere = system.as(newWorkspace());
    await disable("gone");
    const codes = await Promise.all(
      [
        patch({ name: "" }, elsewhere),
        patch({ name: "x" }, elsewhere),
        patch({ status: "paused" }, free),
        patch({ status: "paused" }),
      ].map(async (call) => (await refusal(call)).code),
    );
    expect(codes).toEqual(["validation_failed", "subscription_not_found", "feature_locked", "invalid_transition"]);
    for (const subscriptionId of ["", "0".repeat(16), "../etc"]) {
      expect(await refusal(patch({ subscriptionId, name: "x" }))).toEqual({
        code: "subscription_not_found",
        details: {},
      });
    }
  });

  test("with a key a patch happens once, and its replay does not check the address", async () => {
    const idempotency = named("k1", "move", { requestId: "r1", answeredAt: system.clock.now() });
    const url = "https://moved.example.com/";
    const replays: string[] = [];
    const options = () => system.as(w, { idempotency, onReplay: ({ requestId }) => void replays.push(requestId) });
    const first = await patch({ url }, options());
    privateNow = new Set(["moved.example.com"]);
    expect(await patch({ url }, options())).toEqual(first);
    expect(replays).toEqual(["r1"]);
    expect(await system.notified(w)).toHaveLength(2);
    const other = system.as(w, { idempotency: named("k1", "other") });
    expect(await refusal(patch({ name: "x" }, other))).toMatchObject({ code: "idempotency_key_reused" });
  });
});

describe("pausing and resuming", () => {
  const at = () => system.clock.now();

  test("a paused webhook listens to nothing, from its pause to its resumption", async () => {
    const begun = at();
    system.clock.advance(1000);
    const paused = at();
    expect(await patch({ status: "paused" })).toMatchObject({ status: "paused", statusReason: "" });
    expect((await system.endpoint(w, id)).status).toBe("paused");
    system.clock.advance(1000);
    const resumed = at();
    expect(await patch({ status: "active" })).toMatchObject({ status: "active" });
    const timestamps = [begun, new Date(paused.getTime() - 1), paused, new Date(resumed.getTime() - 1), resumed];
    const heard = await Promise.all(timestamps.map(async (timestamp) => (await system.listening(w, timestamp)).length));
    expect(heard).toEqual([1, 1, 0, 0, 1]);
  });

  test("pausing or resuming again changes nothing", async () => {
    await patch({ status: "paused" });
    const paused = await got();
    system.clock.advance(1000);
    expect(await patch({ status: "paused" })).toEqual(paused);
    await Promise.all(Array.from({ length: 5 }, () => patch({ status: "active" })));
    const open = await system.sql("SELECT 1 FROM listening_intervals WHERE workspace_id = $1 AND ended_at IS NULL", [
      w,
    ]);
    expect(open).toHaveLength(1);
  });

  test.each(Object.entries(stopped))(
    "resuming what was %s checks the address again and starts counting anew",
    async (_state, stop) => {
      await report({ consecutiveFailures: 12, lastSuccessAt: timestampFromDate(at()) });
      const { destinationRevision } = await system.endpoint(w, id);
      await stop();
      expect(await got()).toMatchObject({ consecutiveFailures: 12 });
      privateNow = new Set(["example.com"]);
      expect(await refusal(patch({ status: "active" }))).toMatchObject({
        code: "validation_failed",
        details: { url: [expect.any(String)] },
      });
      // Other changes need no address.
      await patch({ name: "Renamed" });
      privateNow = new Set();
      system.clock.advance(1000);
      const resumed = await patch({ status: "active" });
      expect(resumed).toMatchObject({
        status: "active",
        statusReason: "",
        consecutiveFailures: 0,
        updatedAt: timestampFromDate(at()),
      });
      expect(resumed.lastSuccessAt).toBeDefined();
      const endpoint = await system.endpoint(w, id);
      expect(endpoint).toMatchObject({ status: "active", activeSince: timestampFromDate(at()) });
      expect(endpoint.destinationRevision).toBeGreaterThan(destinationRevision);
      // A late report about the destination before the resumption.
      system.clock.advance(1000);
      await report({ consecutiveFailures: 13, destinationRevision });
      expect((await got()).consecutiveFailures).toBe(0);
      await report({ consecutiveFailures: 1, destinationRevision: endpoint.destinationRevision });
      expect((await got()).consecutiveFailures).toBe(1);
    },
  );

  test("a disabled webhook is resumed at a new address in one step", async () => {
    await disable("blocked");
    privateNow = new Set(["example.com"]);
    const resumed = await patch({ status: "active", url: "https://fresh.example.com/" });
    expect(resumed).toMatchObject({ status: "active", statusReason: "", url: "https://fresh.example.com/" });
  });

  test("a new address clears the failures of the old one; a paused webhook stays paused", async () => {
    await report({ consecutiveFailures: 9 });
    await patch({ status: "paused" });
    expect(await patch({ url: "https://fresh.example.com/" })).toMatchObject({
      status: "paused",
      consecutiveFailures: 0,
    });
  });

  test("a feed stops and goes on without any address", async () => {
    id = (await system.createHook(w)).subscription!.subscriptionId;
    expect(await patch({ status: "paused" })).toMatchObject({ status: "paused" });
    expect(await patch({ status: "active" })).toMatchObject({ status: "active", url: "" });
  });

  test("an address that moves while a resumption is checked is checked, too", async () => {
    await patch({ status: "paused" });
    privateNow = new Set(["bad.example.com"]);
    // The row is held, so that the resumption has checked the old address before the move commits.
    const holder = await system.pool.connect();
    await holder.query("BEGIN");
    await holder.query("UPDATE subscriptions SET url = 'https://bad.example.com/' WHERE subscription_id = $1", [id]);
    const resumption = refusal(patch({ status: "active" }));
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await waitFor(async () => (await system.sql(waiting)).length > 0, { describe: "the resumption to wait" });
    await holder.query("COMMIT");
    holder.release();
    expect(await resumption).toMatchObject({ code: "validation_failed", details: { url: [expect.any(String)] } });
    expect(await got()).toMatchObject({ status: "paused" });
  });
});

describe("at once", () => {
  test("of 64 patches that move twenty subscriptions to one URL those of one succeed, and the others are told which has it", async () => {
    const ids = [id];
    for (let n = 1; n < 20; n++) {
      ids.push((await system.createHook(w, `https://example.com/${n}`)).subscription!.subscriptionId);
    }
    const url = "https://wanted.example.com/";
    const outcomes = await Promise.allSettled(
      Array.from({ length: 64 }, (_, n) =>
        patch({ subscriptionId: ids[n % 20]!, url: n % 3 ? url : `${url}#${n % 20}` }),
      ),
    );
    const { subscriptions } = await system.subscriptions.listSubscriptions({}, system.as(w));
    const [owner, ...others] = subscriptions.filter((each) => each.url.startsWith(url));
    expect(others).toEqual([]);
    for (const [n, outcome] of outcomes.entries()) {
      if (outcome.status === "fulfilled") expect(ids[n % 20]).toBe(owner!.subscriptionId);
      else
        expect(outcome.reason).toMatchObject({
          code: "duplicate_subscription",
          details: { subscription_id: owner!.subscriptionId },
        });
    }
    // Creating it is refused as well.
    await system.subscriptions.deleteSubscription(
      { subscriptionId: ids.find((each) => each !== owner!.subscriptionId)! },
      system.as(w),
    );
    expect(await refusal(system.createHook(w, url))).toMatchObject({ code: "duplicate_subscription" });
  });

  test("sixteen writers whose clocks differ pause, resume and change: intervals never overlap", async () => {
    let calls = 0;
    const base = system.clock.now().getTime();
    // Each reading of the clock is up to a second ahead of or behind a time that goes on.
    const now = () => new Date(base + 10 * (calls += 1) + ((calls * 7919) % 2000) - 1000);
    await using skewed = await startWebhookSystem({ resolve, now });
    const created = await skewed.createHook(w, "https://example.com/");
    const { subscriptionId } = created.subscription!;
    const change = (fields: object) =>
      skewed.subscriptions.updateSubscription({ subscriptionId, ...fields }, skewed.as(w));
    await Promise.all(
      Array.from({ length: 16 }, async (_, n) => {
        for (let turn = n; turn < n + 20; turn++) {
          await change({ status: turn % 2 ? "paused" : "active", name: `Writer ${turn}` });
        }
      }),
    );
    const intervals = await skewed.sql<{ from: Date; to: Date | null }>(
      `SELECT started_at AS "from", ended_at AS "to" FROM listening_intervals ORDER BY started_at, ended_at NULLS LAST`,
    );
    expect(intervals.length).toBeGreaterThan(5);
    for (const [n, { from, to }] of intervals.entries()) {
      const next = intervals[n + 1]?.from;
      if (to) expect(to.getTime()).toBeGreaterThanOrEqual(from.getTime());
      if (next) expect(to!.getTime()).toBeLessThanOrEqual(next.getTime());
    }
    const [state] = await skewed.sql<{ status: string; revision: number }>(
      "SELECT status, revision FROM subscriptions",
    );
    expect(intervals.at(-1)!.to === null).toBe(state!.status === "active");
    expect(await skewed.audited(w)).toHaveLength(state!.revision);
  });
});

describe("what others are told", () => {
  test("a move reaches owners and admins once, with both hosts, its author, and no path", async () => {
    await patch({ name: "CRM", url: "https://moved.example.com:443/hidden-path", status: "paused" });
    await patch({ url: "https://moved.example.com/hidden-path" });
    await patch({ status: "active" });
    const moves = (await system.notified(w)).filter(
      ({ notification }) => notification.case === "webhookAddressChanged",
    );
    expect(moves).toMatchObject([
      {
        personName: "Ada",
        tokenName: "CI",
        notification: {
          value: {
            webhook: { subscriptionId: id, name: "CRM", host: "moved.example.com" },
            previousHost: "example.com",
          },
        },
      },
      { notification: { value: { previousHost: "moved.example.com" } } },
    ]);
    const all = JSON.stringify(await system.published(w), (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    expect(all).not.toContain("hidden");
  });

  test("each change is audited with its author, before and after", async () => {
    await patch({ name: "CRM", status: "paused" });
    await patch({ url: "https://example.com/other" });
    const [, renamed, moved] = await system.audited(w);
    expect(renamed).toMatchObject({ personId: "person0000000001", action: "subscription.updated", resourceId: id });
    expect([JSON.parse(renamed!.beforeJson), JSON.parse(renamed!.afterJson)]).toMatchObject([
      { name: "Hook", status: "active" },
      { name: "CRM", status: "paused" },
    ]);
    expect(JSON.parse(moved!.afterJson)).toMatchObject({ host: "example.com", url_changed: true });
  });

  test("a resumption and a new address raise the destination's revision; a name and a pause do not", async () => {
    const { destinationRevision: first } = await system.endpoint(w, id);
    await patch({ name: "CRM" });
    await patch({ status: "paused" });
    expect((await system.endpoint(w, id)).destinationRevision).toBe(first);
    await patch({ status: "active" });
    await patch({ url: "https://moved.example.com/" });
    expect((await system.endpoint(w, id)).destinationRevision).toBe(5);
  });
});
