import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newWorkspace, startWebhookSystem, type WebhookSystem } from "./webhook-system.ts";

let system: WebhookSystem;
beforeAll(async () => void (system = await startWebhookSystem()));
afterAll(() => system[Symbol.asyncDispose]());

let w: string;
let subscriptionId: string;
beforeEach(async () => {
  w = newWorkspace();
  subscriptionId = (await system.createHook(w, "https://example.com/hidden-path")).subscription!.subscriptionId;
});

const report = (reason: string, fields: object = {}) =>
  system.subscriptions.disableSubscription({ workspaceId: w, subscriptionId, reason, ...fields });
const patch = (fields: object) => system.subscriptions.updateSubscription({ subscriptionId, ...fields }, system.as(w));
const got = async () => (await system.subscriptions.getSubscription({ subscriptionId }, system.as(w))).subscription!;
const revision = async () => (await system.endpoint(w, subscriptionId)).destinationRevision;

test("a webhook that keeps failing is paused from that moment, once, and owners and admins are told why", async () => {
  const lastSuccessAt = timestampFromDate(new Date("2026-02-26T11:00:00Z"));
  const fields = { failedAttempts: 11, lastSuccessAt, destinationRevision: await revision() };
  system.clock.advance(1000);
  await Promise.all([report("failing", fields), report("failing", fields), report("failing", fields)]);
  await report("failing", fields);
  expect(await got()).toMatchObject({
    status: "paused",
    statusReason: "failing",
    consecutiveFailures: 11,
    updatedAt: timestampFromDate(system.clock.now()),
  });
  expect(await system.listening(w, system.clock.now())).toEqual([]);
  expect(await system.listening(w, new Date(system.clock.now().getTime() - 1))).toEqual([subscriptionId]);
  const webhook = { subscriptionId, name: "Hook", host: "example.com" };
  const told = (await system.notified(w)).slice(1);
  expect(told).toMatchObject([
    { personName: "", notification: { case: "webhookPaused", value: { webhook, failedAttempts: 11, lastSuccessAt } } },
  ]);
  const [, paused, ...others] = await system.audited(w);
  expect(others).toEqual([]);
  expect(paused).toMatchObject({
    personId: "",
    tokenId: "",
    action: "subscription.paused",
    resourceId: subscriptionId,
  });
  expect(JSON.parse(paused!.afterJson)).toMatchObject({ status: "paused", status_reason: "failing" });
});

test.each(["gone", "blocked", "failing"])(
  "a report of %s about the destination before a resumption or a move changes nothing",
  async (reason) => {
    const reportedFor = await revision();
    await patch({ status: "paused" });
    await patch({ status: "active" });
    await report(reason, { destinationRevision: reportedFor });
    expect(await got()).toMatchObject({ status: "active", statusReason: "" });
    const resumed = await revision();
    await patch({ url: "https://moved.example.com/" });
    await report(reason, { destinationRevision: resumed });
    expect(await got()).toMatchObject({ status: "active", statusReason: "" });
    // Other changes do not make it stale.
    const moved = await revision();
    await patch({ name: "Renamed" });
    await report(reason, { destinationRevision: moved });
    expect(await got()).toMatchObject({ statusReason: reason });
  },
);

test("a paused webhook that answers 410 is disabled; a disabled one is neither paused nor given another reason", async () => {
  const reportedFor = { destinationRevision: await revision() };
  await patch({ status: "paused" });
  await report("failing", reportedFor);
  expect(await got()).toMatchObject({ status: "paused", statusReason: "" });
  await report("gone", reportedFor);
  expect(await got()).toMatchObject({ status: "disabled", statusReason: "gone" });
  await report("failing", reportedFor);
  await report("blocked", reportedFor);
  expect(await got()).toMatchObject({ status: "disabled", statusReason: "gone" });
});

test("on a plan without webhooks a webhook keeps its state; it is listed and deleted, but not changed", async () => {
  const free = system.as(w, { plan: "free" });
  const { subscriptions } = await system.subscriptions.listSubscriptions({}, free);
  expect(subscriptions).toMatchObject([{ status: "active" }]);
  for (const fields of [{ name: "x" }, { status: "paused" }, { status: "active" }]) {
    const call = system.subscriptions.updateSubscription({ subscriptionId, ...fields }, free);
    await expect(call).rejects.toMatchObject({ code: "feature_locked", details: { required_plan: "professional" } });
  }
  await system.subscriptions.deleteSubscription({ subscriptionId }, free);
});
