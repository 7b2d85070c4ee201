import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSecretBox } from "@canvass/webhook-sender";
import { newWorkspace as workspace, refusal, startWebhookSystem, type WebhookSystem } from "./webhook-system.ts";

let system: WebhookSystem;
beforeAll(async () => void (system = await startWebhookSystem()));
afterAll(() => system[Symbol.asyncDispose]());

const createHook = (workspaceId: string, url?: string, name?: string) => system.createHook(workspaceId, url, name);

describe("for the delivery service", () => {
  test("an event matches the webhooks that listened at its own time", async () => {
    const w = workspace();
    const at = (ms: number) => new Date(system.clock.now().getTime() + ms);
    const early = at(-1);
    const { subscription: first } = await createHook(w, "https://example.com/1");
    await createHook(w);
    const start = at(0);
    // Short steps: what is far ahead of the service's start would be repaired as of a clock that was set back.
    system.clock.advance(1_000);
    const { subscription: second } = await createHook(w, "https://example.com/2");
    const later = at(0);
    system.clock.advance(1_000);
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

  test("a secret that cannot be opened harms no other endpoint", async () => {
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

  test("disabling is idempotent and stores the reason", async () => {
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
    // A late, older report changes nothing.
    const older = { workspaceId: w, subscriptionId, consecutiveFailures: 6, changedAt: lastSuccessAt };
    await system.subscriptions.batchReportEndpointHealth({ reports: [older] });
    expect(await system.subscriptions.getSubscription({ subscriptionId }, system.as(w))).toEqual(got);
  });
});
