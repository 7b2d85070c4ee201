import { SubscriptionService } from "@canvass/proto/webhook";
import { createRpcClient } from "@canvass/rpc";
import { idempotency as idempotencyOf } from "@canvass/service/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newWorkspace, refusal, startWebhookSystem, type WebhookSystem } from "./webhook-system.ts";

let system: WebhookSystem;
beforeAll(async () => void (system = await startWebhookSystem()));
afterAll(() => system[Symbol.asyncDispose]());

const createHook = (workspaceId: string, url?: string, name?: string) => system.createHook(workspaceId, url, name);

describe("reach", () => {
  test("an absent, foreign or malformed id is refused the same way", async () => {
    const workspaceId = newWorkspace();
    const { subscription } = await createHook(workspaceId, "https://example.com/");
    const { subscriptionId } = subscription!;
    const fromAnotherWorkspace = system.as(newWorkspace());
    for (const id of [subscriptionId, "0".repeat(16), "", "../etc", "x".repeat(5000), "a\0b"]) {
      const got = await refusal(system.subscriptions.getSubscription({ subscriptionId: id }, fromAnotherWorkspace));
      const deleted = await refusal(
        system.subscriptions.deleteSubscription({ subscriptionId: id }, fromAnotherWorkspace),
      );
      expect([got.code, got.details]).toEqual(["subscription_not_found", {}]);
      expect([deleted.code, deleted.details]).toEqual(["subscription_not_found", {}]);
    }
    await system.subscriptions.getSubscription({ subscriptionId }, system.as(workspaceId));
  });

  test("peer methods are closed to callers", async () => {
    await using withoutPeerKey = createRpcClient(SubscriptionService, { url: system.url });
    const as = system.as(newWorkspace());
    expect(await refusal(withoutPeerKey.batchGetEndpoints({}, as))).toMatchObject({ code: "unauthorized" });
    expect(await refusal(withoutPeerKey.batchMatchWebhooks({}, as))).toMatchObject({ code: "unauthorized" });
    expect(await refusal(withoutPeerKey.disableSubscription({}, as))).toMatchObject({ code: "unauthorized" });
    expect(await refusal(withoutPeerKey.listSubscriptions({}))).toMatchObject({ code: "unauthorized" });
  });
});

describe("deleting", () => {
  test("happens once; a call with the same key is answered again", async () => {
    const workspaceId = newWorkspace();
    const { subscription } = await createHook(workspaceId, "https://example.com/");
    const { subscriptionId } = subscription!;
    const idempotency = idempotencyOf("k1", "", { requestId: "r1", answeredAt: system.clock.now() });
    const replays: string[] = [];
    const options = () =>
      system.as(workspaceId, {
        idempotency,
        onReplay: ({ requestId }) => void replays.push(requestId),
        requestId: "r2",
      });
    await system.subscriptions.deleteSubscription({ subscriptionId }, options());
    expect(replays).toEqual([]);
    await system.subscriptions.deleteSubscription({ subscriptionId }, options());
    expect(replays).toEqual(["r1"]);
    const again = system.subscriptions.deleteSubscription({ subscriptionId }, system.as(workspaceId));
    expect(await refusal(again)).toMatchObject({ code: "subscription_not_found" });
    expect(await system.sql("SELECT 1 FROM subscription_secrets WHERE workspace_id = $1", [workspaceId])).toEqual([]);
  });

  test("works on a plan without webhooks, as listing does", async () => {
    const workspaceId = newWorkspace();
    const { subscription } = await createHook(workspaceId);
    const free = system.as(workspaceId, { plan: "free" });
    expect((await system.subscriptions.listSubscriptions({}, free)).subscriptions).toHaveLength(1);
    await system.subscriptions.deleteSubscription({ subscriptionId: subscription!.subscriptionId }, free);
  });
});
