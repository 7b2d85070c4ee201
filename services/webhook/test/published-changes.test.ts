import { fromBinary } from "@bufbuild/protobuf";
import { EventSchema } from "@canvass/proto/events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newWorkspace as workspace, refusal, startWebhookSystem, type WebhookSystem } from "./webhook-system.ts";

let system: WebhookSystem;
beforeAll(async () => void (system = await startWebhookSystem()));
afterAll(() => system[Symbol.asyncDispose]());

const createHook = (workspaceId: string, url?: string, name?: string) => system.createHook(workspaceId, url, name);

test("creating and deleting reach the audit log with their author and without secrets", async () => {
  const w = workspace();
  const { subscription, secret } = await createHook(w, "https://example.com/hidden-path?key=hidden-key");
  const { subscriptionId } = subscription!;
  await system.subscriptions.deleteSubscription({ subscriptionId }, system.as(w));
  const entries = await system.audited(w);
  expect(entries.map(({ action }) => action)).toEqual(["subscription.created", "subscription.deleted"]);
  for (const entry of entries)
    expect(entry).toMatchObject({
      personId: "person0000000001",
      tokenId: "token00000000001",
      resourceId: subscriptionId,
    });
  expect(JSON.parse(entries[0]!.afterJson)).toMatchObject({ name: "Hook", mode: "push", host: "example.com" });
  const audited = JSON.stringify(entries);
  expect(audited).not.toContain("hidden");
  expect(audited).not.toContain(secret.slice(6, 20));
});

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
  "disabling a webhook (%s) notifies once, however often it is requested",
  async (reason) => {
    const w = workspace();
    const { subscription } = await createHook(w, "https://example.com/hidden-path?key=hidden-key");
    const { subscriptionId } = subscription!;
    const disable = () => system.subscriptions.disableSubscription({ workspaceId: w, subscriptionId, reason });
    await Promise.all([disable(), disable(), disable()]);
    await disable();
    const [notification, ...others] = await notifications(w, "webhookDisabled");
    expect(others).toEqual([]);
    const webhook = { subscriptionId, name: "Hook", host: "example.com" };
    expect(notification).toMatchObject({
      personName: "",
      tokenName: "",
      notification: { case: "webhookDisabled", value: { webhook, reason } },
    });
  },
);

test("a new webhook, but no feed, notifies owners and admins, without secrets", async () => {
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
