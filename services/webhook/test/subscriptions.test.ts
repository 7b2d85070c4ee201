import { create, fromBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { AppError } from "@canvass/errors";
import { EventSchema, type AuditRecorded } from "@canvass/proto/events";
import { IdempotencySchema } from "@canvass/proto/rpc";
import { SubscriptionService } from "@canvass/proto/webhook";
import { createRpcClient } from "@canvass/rpc";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSecretBox } from "../src/domain/sealed-secrets.ts";
import { refusal, startWebhookSystem, type WebhookSystem } from "./webhook-system.ts";

let system: WebhookSystem;
let counter = 0;
const workspace = (): string => `workspace${String((counter += 1)).padStart(7, "0")}`;

const resolve = async (host: string): Promise<string[]> => {
  if (host === "private.example") return ["93.184.216.34", "10.0.0.1"];
  if (host === "nowhere.example") throw new Error("ENOTFOUND");
  return ["93.184.216.34"];
};

beforeAll(async () => {
  system = await startWebhookSystem({ resolve });
});
afterAll(() => system[Symbol.asyncDispose]());

const createHook = (workspaceId: string, url?: string, name = "Hook") =>
  system.subscriptions.createSubscription({ name, ...(url === undefined ? {} : { url }) }, system.as(workspaceId));

describe("creating", () => {
  test("a webhook gets a secret once; it is listed and read without it", async () => {
    const w = workspace();
    const { subscription, secret } = await createHook(w, "https://Example.com/hook");
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
    expect(subscription).toMatchObject({
      name: "Hook",
      mode: "push",
      url: "https://Example.com/hook",
      eventTypes: ["response.completed"],
      status: "active",
      statusReason: "",
      consecutiveFailures: 0,
    });
    expect(subscription?.subscriptionId).toMatch(/^[0-9a-z]{16}$/);
    const { subscriptions } = await system.subscriptions.listSubscriptions({}, system.as(w));
    expect(subscriptions).toEqual([subscription]);
    const { subscriptionId } = subscription!;
    const got = await system.subscriptions.getSubscription({ subscriptionId }, system.as(w));
    expect(got.subscription).toEqual(subscription);
  });

  test("without a url it is a feed, which has no secret", async () => {
    const w = workspace();
    const { subscription, secret } = await createHook(w);
    expect(secret).toBe("");
    expect(subscription).toMatchObject({ mode: "pull", url: "" });
    // Feeds are not compared with each other.
    await createHook(w);
  });

  test("secrets lie encrypted in the database", async () => {
    const w = workspace();
    const { secret } = await createHook(w, "https://example.com/");
    const rows = await system.sql("SELECT sealed FROM subscription_secrets WHERE workspace_id = $1", [w]);
    expect(rows).toHaveLength(1);
    const sealed = rows[0]!["sealed"] as Buffer;
    expect(sealed.includes(Buffer.from(secret))).toBe(false);
    expect(sealed.includes(Buffer.from(secret.slice(6), "base64"))).toBe(false);
  });

  test("every fault is named at once, and nothing is written", async () => {
    const w = workspace();
    const given = { name: " ", url: "https://private.example/", eventTypes: ["response.deleted"] };
    const error = await refusal(system.subscriptions.createSubscription(given, system.as(w)));
    expect(error.code).toBe("validation_failed");
    expect(Object.keys(error.details)).toEqual(["name", "event_types.0", "url"]);
    // Of fields that the edge found at fault it is told there, and here only of the others.
    const edgeFaults = [
      { path: "name", message: "must be text" },
      { path: "colour", message: "is not a known field" },
    ];
    const both = { ...given, name: "", edgeFaults };
    expect(await refusal(system.subscriptions.createSubscription(both, system.as(w)))).toMatchObject({
      code: "validation_failed",
      details: {
        name: ["must be text"],
        colour: ["is not a known field"],
        "event_types.0": [expect.any(String)],
        url: [expect.any(String)],
      },
    });
    const fine = system.subscriptions.createSubscription({ name: "Feed", edgeFaults }, system.as(w));
    expect(await refusal(fine)).toMatchObject({ code: "validation_failed" });
    expect((await system.subscriptions.listSubscriptions({}, system.as(w))).subscriptions).toEqual([]);
  });

  const notPublic = "must lead to a public internet address";
  test.each([
    ["http://example.com/", "must start with https://"],
    ["https://user:pw@example.com/", "must not contain a user name or password"],
    ["https://127.0.0.1/", notPublic],
    ["https://2130706433/", notPublic],
    ["https://10.0.0.1/", notPublic],
    ["https://169.254.169.254/latest/meta-data", notPublic],
    ["https://[::1]/", notPublic],
    ["https://[::ffff:10.0.0.1]/", notPublic],
    ["https://private.example/", notPublic],
    ["https://nowhere.example/", "has a host name that does not resolve"],
    ["https://example.com:8443/", "must use port 443"],
    ["https://example.com:22/", "must use port 443"],
    ["https://private.example:8443/", "must use port 443", notPublic],
    [`https://example.com/${"x".repeat(2048)}`, "must be at most 2048 characters long"],
    ["", "must be an absolute https URL; leave it out for an event feed"],
  ])("%j is no destination, and is told why", async (url, ...reasons) => {
    const error = await refusal(createHook(workspace(), url));
    expect(error).toMatchObject({ code: "validation_failed", details: { url: reasons } });
  });

  test("a plan without webhooks is told which plan has them, after the fields were judged", async () => {
    const w = workspace();
    for (const plan of ["free", "starter", "unheard-of"]) {
      const good = system.subscriptions.createSubscription({ name: "Feed" }, system.as(w, { plan }));
      expect(await refusal(good)).toMatchObject({
        code: "feature_locked",
        details: { required_plan: "professional" },
      });
    }
    const bad = system.subscriptions.createSubscription({ name: "" }, system.as(w, { plan: "free" }));
    expect(await refusal(bad)).toMatchObject({ code: "validation_failed" });
  });

  test("of fifty creates with one URL in several spellings exactly one works, the others name it", async () => {
    const w = workspace();
    const spellings = ["https://example.com/hook", "https://EXAMPLE.com:443/hook#x", "https://example.com./%68ook"];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => createHook(w, spellings[i % spellings.length])),
    );
    const made = outcomes.filter((outcome) => outcome.status === "fulfilled");
    expect(made).toHaveLength(1);
    const id = made[0]!.value.subscription!.subscriptionId;
    for (const outcome of outcomes) {
      if (outcome.status === "fulfilled") continue;
      expect(outcome.reason).toMatchObject({ code: "duplicate_subscription", details: { subscription_id: id } });
    }
    // In another workspace the same URL is free.
    await createHook(workspace(), spellings[0]);
  });

  test("twenty subscriptions are the limit, also in a race; a duplicate is said before the limit", async () => {
    const w = workspace();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, i) => createHook(w, i % 3 === 0 ? undefined : `https://example.com/${i}`)),
    );
    const made = outcomes.filter((outcome) => outcome.status === "fulfilled");
    expect(made).toHaveLength(20);
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(new Set(refused.map(({ reason }) => (reason as AppError).code))).toEqual(
      new Set(["subscription_limit_reached"]),
    );
    const { subscriptions } = await system.subscriptions.listSubscriptions({}, system.as(w));
    const hook = subscriptions.find(({ url }) => url !== "")!;
    expect(await refusal(createHook(w, hook.url))).toMatchObject({ code: "duplicate_subscription" });
    await system.subscriptions.deleteSubscription({ subscriptionId: hook.subscriptionId }, system.as(w));
    await createHook(w, hook.url);
  });
});

describe("reach", () => {
  test("what is absent, elsewhere or malformed is refused the same way", async () => {
    const w = workspace();
    const { subscription } = await createHook(w, "https://example.com/");
    const { subscriptionId } = subscription!;
    const stranger = system.as(workspace());
    for (const id of [subscriptionId, "0".repeat(16), "", "../etc", "x".repeat(5000), "a\0b"]) {
      const got = await refusal(system.subscriptions.getSubscription({ subscriptionId: id }, stranger));
      const deleted = await refusal(system.subscriptions.deleteSubscription({ subscriptionId: id }, stranger));
      expect([got.code, got.details]).toEqual(["subscription_not_found", {}]);
      expect([deleted.code, deleted.details]).toEqual(["subscription_not_found", {}]);
    }
    await system.subscriptions.getSubscription({ subscriptionId }, system.as(w));
  });

  test("peer methods are closed to callers", async () => {
    await using stranger = createRpcClient(SubscriptionService, { url: system.url });
    const as = system.as(workspace());
    expect(await refusal(stranger.batchGetEndpoints({}, as))).toMatchObject({ code: "unauthorized" });
    expect(await refusal(stranger.batchMatchWebhooks({}, as))).toMatchObject({ code: "unauthorized" });
    expect(await refusal(stranger.disableSubscription({}, as))).toMatchObject({ code: "unauthorized" });
    expect(await refusal(stranger.listSubscriptions({}))).toMatchObject({ code: "unauthorized" });
  });
});

describe("deleting", () => {
  test("happens once; with a key the answer can be repeated", async () => {
    const w = workspace();
    const { subscription } = await createHook(w, "https://example.com/");
    const { subscriptionId } = subscription!;
    const idempotency = create(IdempotencySchema, {
      key: "k1",
      scope: "t1 DELETE /x",
      bodySha256: new Uint8Array(32),
      requestId: "r1",
      answeredAt: timestampFromDate(system.clock.now()),
    });
    const replays: string[] = [];
    const options = () =>
      system.as(w, { idempotency, onReplay: ({ requestId }) => void replays.push(requestId), requestId: "r2" });
    await system.subscriptions.deleteSubscription({ subscriptionId }, options());
    expect(replays).toEqual([]);
    await system.subscriptions.deleteSubscription({ subscriptionId }, options());
    expect(replays).toEqual(["r1"]);
    const again = system.subscriptions.deleteSubscription({ subscriptionId }, system.as(w));
    expect(await refusal(again)).toMatchObject({ code: "subscription_not_found" });
    expect(await system.sql("SELECT 1 FROM subscription_secrets WHERE workspace_id = $1", [w])).toEqual([]);
  });

  test("works on a plan without webhooks, as listing does", async () => {
    const w = workspace();
    const { subscription } = await createHook(w);
    const free = system.as(w, { plan: "free" });
    expect((await system.subscriptions.listSubscriptions({}, free)).subscriptions).toHaveLength(1);
    await system.subscriptions.deleteSubscription({ subscriptionId: subscription!.subscriptionId }, free);
  });
});

test("creating and deleting are told to the audit log, by whom and without secrets", async () => {
  const w = workspace();
  const { subscription, secret } = await createHook(w, "https://example.com/hidden-path?key=hidden-key");
  const { subscriptionId } = subscription!;
  await system.subscriptions.deleteSubscription({ subscriptionId }, system.as(w));
  const rows = await system.sql(
    "SELECT payload FROM outbox_events WHERE workspace_id = $1 AND type = 'audit.recorded' ORDER BY event_id",
    [w],
  );
  const entries = rows.map(({ payload }) => fromBinary(EventSchema, payload as Buffer).body.value as AuditRecorded);
  expect(entries.map(({ action }) => action)).toEqual(["subscription.created", "subscription.deleted"]);
  for (const entry of entries)
    expect(entry).toMatchObject({
      personId: "person0000000001",
      tokenId: "token00000000001",
      resourceId: subscriptionId,
    });
  expect(JSON.parse(entries[0]!.afterJson)).toMatchObject({ name: "Hook", mode: "push", host: "example.com" });
  const told = JSON.stringify(entries);
  expect(told).not.toContain("hidden");
  expect(told).not.toContain(secret.slice(6, 20));
});

/** The mails of that kind that were asked for in a workspace. */
async function notifications(workspaceId: string, kind: string) {
  const rows = await system.sql(
    "SELECT payload FROM outbox_events WHERE workspace_id = $1 AND type = 'notification.requested'",
    [workspaceId],
  );
  const bodies = rows.map(({ payload }) => fromBinary(EventSchema, payload as Buffer).body);
  return bodies.flatMap((body) =>
    body.case === "notificationRequested" && body.value.notification.case === kind ? [body.value] : [],
  );
}

test.each(["gone", "blocked"])(
  "that a webhook was disabled (%s) is told once, however often it is said",
  async (reason) => {
    const w = workspace();
    const { subscription } = await createHook(w, "https://example.com/hidden-path?key=hidden-key");
    const { subscriptionId } = subscription!;
    const disable = () => system.subscriptions.disableSubscription({ workspaceId: w, subscriptionId, reason });
    await Promise.all([disable(), disable(), disable()]);
    await disable();
    const [told, ...others] = await notifications(w, "webhookDisabled");
    expect(others).toEqual([]);
    const webhook = { subscriptionId, name: "Hook", host: "example.com" };
    expect(told).toMatchObject({
      personName: "",
      tokenName: "",
      notification: { case: "webhookDisabled", value: { webhook, reason } },
    });
  },
);

test("a new webhook, not a feed, is told to owners and admins, without what is secret", async () => {
  const w = workspace();
  const { subscription, secret } = await createHook(w, "https://example.com/hidden-path?key=hidden-key");
  await createHook(w);
  await refusal(createHook(w, "https://example.com/hidden-path?key=hidden-key"));
  const rows = await system.sql(
    "SELECT payload FROM outbox_events WHERE workspace_id = $1 AND type = 'notification.requested'",
    [w],
  );
  const [event, ...others] = rows.map(({ payload }) => fromBinary(EventSchema, payload as Buffer));
  expect(others).toEqual([]);
  const webhook = { subscriptionId: subscription!.subscriptionId, name: "Hook", host: "example.com" };
  expect(event!.body.value).toMatchObject({ notification: { case: "webhookAdded", value: { webhook } } });
  const payload = Buffer.from(rows[0]!["payload"] as Buffer).toString("latin1");
  expect(payload).not.toContain("hidden");
  expect(payload).not.toContain(secret.slice(6, 20));
});

describe("for the delivery service", () => {
  test("an event matches the webhooks that listened at its own time", async () => {
    const w = workspace();
    const at = (ms: number) => new Date(system.clock.now().getTime() + ms);
    const early = at(-1);
    const { subscription: first } = await createHook(w, "https://example.com/1");
    await createHook(w);
    const start = at(0);
    system.clock.advance(10_000);
    const { subscription: second } = await createHook(w, "https://example.com/2");
    const later = at(0);
    system.clock.advance(10_000);
    await system.subscriptions.disableSubscription({
      workspaceId: w,
      subscriptionId: first!.subscriptionId,
      reason: "gone",
    });
    const after = at(0);
    const match = async (times: Date[], type = "response.completed", workspaceId = w) => {
      const events = times.map((time) => ({ workspaceId, type, occurredAt: timestampFromDate(time) }));
      return (await system.subscriptions.batchMatchWebhooks({ events })).matches.map((m) => m.subscriptionIds);
    };
    const [a, b] = [first!.subscriptionId, second!.subscriptionId];
    expect(await match([early, start, later, after])).toEqual([[], [a], [a, b], [b]]);
    expect(await match([later], "webhook.test")).toEqual([[]]);
    expect(await match([later], "response.completed", workspace())).toEqual([[]]);
    await system.subscriptions.deleteSubscription({ subscriptionId: b }, system.as(w));
    expect(await match([later])).toEqual([[a]]);
    expect(await match([])).toEqual([]);
    expect(await refusal(match(Array.from({ length: 501 }, () => later)))).toMatchObject({ code: "invalid_request" });
  });

  test("endpoints come with their secrets, in the order asked for", async () => {
    const w = workspace();
    const { subscription, secret } = await createHook(w, "https://example.com/1");
    const { subscription: feed } = await createHook(w);
    const { subscriptionId } = subscription!;
    const ref = (workspaceId: string, id: string) => ({ workspaceId, subscriptionId: id });
    const asked = [ref(w, "0".repeat(16)), ref(w, subscriptionId), ref(workspace(), subscriptionId)];
    const { endpoints } = await system.subscriptions.batchGetEndpoints({
      endpoints: [...asked, ref(w, feed!.subscriptionId), ref(w, subscriptionId)],
    });
    expect(endpoints.map(({ status }) => status)).toEqual(["absent", "active", "absent", "absent", "active"]);
    for (const index of [1, 4]) {
      expect(endpoints[index]).toMatchObject({ url: "https://example.com/1", secrets: [secret] });
    }
  });

  test("after a rotation both secrets sign until the old one expires, never more than two", async () => {
    const w = workspace();
    const { subscription, secret } = await createHook(w, "https://example.com/1");
    const { subscriptionId } = subscription!;
    const owner = { workspaceId: w, subscriptionId };
    const box = createSecretBox(system.config.CANVASS_SECRETS_KEY);
    const expires = new Date(system.clock.now().getTime() + 86_400_000);
    const add = (id: string, value: string) =>
      system.sql("INSERT INTO subscription_secrets VALUES ($1, $2, $3, $4, $5)", [
        w,
        subscriptionId,
        id,
        box.seal(value, owner),
        system.clock.now(),
      ]);
    const secretsNow = async () =>
      (await system.subscriptions.batchGetEndpoints({ endpoints: [owner] })).endpoints[0]?.secrets;
    await system.sql("UPDATE subscription_secrets SET expires_at = $2 WHERE workspace_id = $1", [w, expires]);
    await add("z".repeat(15) + "1", "whsec_second");
    expect(await secretsNow()).toEqual(["whsec_second", secret]);
    await add("z".repeat(15) + "2", "whsec_third");
    expect(await secretsNow()).toEqual(["whsec_third", "whsec_second"]);
    await system.sql("DELETE FROM subscription_secrets WHERE secret_id = $1", ["z".repeat(15) + "2"]);
    system.clock.advance(86_400_001);
    expect(await secretsNow()).toEqual(["whsec_second"]);
  });

  test("a secret that can not be opened harms no other endpoint", async () => {
    const [w, v] = [workspace(), workspace()];
    const { subscription: broken } = await createHook(w, "https://example.com/1");
    const { subscription: fine, secret } = await createHook(v, "https://example.com/1");
    await system.sql("UPDATE subscription_secrets SET sealed = 'garbage' WHERE workspace_id = $1", [w]);
    const { endpoints } = await system.subscriptions.batchGetEndpoints({
      endpoints: [
        { workspaceId: w, subscriptionId: broken!.subscriptionId },
        { workspaceId: v, subscriptionId: fine!.subscriptionId },
      ],
    });
    expect(endpoints.map(({ secrets }) => secrets)).toEqual([[], [secret]]);
  });

  test("disabling is idempotent and says why", async () => {
    const w = workspace();
    const { subscription } = await createHook(w, "https://example.com/1");
    const { subscriptionId } = subscription!;
    const disable = (reason: string) =>
      system.subscriptions.disableSubscription({ workspaceId: w, subscriptionId, reason });
    await Promise.all([disable("gone"), disable("gone"), disable("gone")]);
    await disable("blocked");
    const got = await system.subscriptions.getSubscription({ subscriptionId }, system.as(w));
    expect(got.subscription).toMatchObject({ status: "disabled", statusReason: "gone" });
    const [row] = await system.sql("SELECT revision FROM subscriptions WHERE subscription_id = $1", [subscriptionId]);
    expect(row).toEqual({ revision: 2 });
    expect(await refusal(disable("because"))).toMatchObject({ code: "invalid_request" });
    await system.subscriptions.disableSubscription({ workspaceId: w, subscriptionId: "0".repeat(16), reason: "gone" });
  });

  test("what is reported of an endpoint's health is shown, and is no change of the subscription", async () => {
    const w = workspace();
    const { subscription } = await createHook(w, "https://example.com/1");
    const { subscriptionId, updatedAt } = subscription!;
    const lastSuccessAt = timestampFromDate(system.clock.now());
    system.clock.advance(1000);
    const changedAt = timestampFromDate(system.clock.now());
    const report = { workspaceId: w, subscriptionId, consecutiveFailures: 7, lastSuccessAt, changedAt };
    const stranger = { ...report, workspaceId: workspace(), consecutiveFailures: 9 };
    await system.subscriptions.batchReportEndpointHealth({ reports: [report, stranger] });
    const got = await system.subscriptions.getSubscription({ subscriptionId }, system.as(w));
    expect(got.subscription).toMatchObject({ consecutiveFailures: 7, lastSuccessAt, updatedAt });
    // An older one that comes late replaces nothing.
    const older = { workspaceId: w, subscriptionId, consecutiveFailures: 6, changedAt: lastSuccessAt };
    await system.subscriptions.batchReportEndpointHealth({ reports: [older] });
    expect(await system.subscriptions.getSubscription({ subscriptionId }, system.as(w))).toEqual(got);
  });
});
