import { SubscriptionService } from "@canvass/proto/webhook";
import { createRpcClient } from "@canvass/rpc";
import { idempotency as named } from "@canvass/service/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newWorkspace as workspace, refusal, startWebhookSystem, type WebhookSystem } from "./webhook-system.ts";

let system: WebhookSystem;
beforeAll(async () => void (system = await startWebhookSystem()));
afterAll(() => system[Symbol.asyncDispose]());

const createHook = (workspaceId: string, url?: string, name?: string) => system.createHook(workspaceId, url, name);

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
    const idempotency = named("k1", "", { requestId: "r1", answeredAt: system.clock.now() });
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
