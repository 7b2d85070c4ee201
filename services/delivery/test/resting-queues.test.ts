import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { completion, startDeliverySystem } from "./delivery-system.ts";
import { SHOWN } from "./delivery-tables.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

const system = await sharedByFile(startDeliverySystem({ overrides: { random: () => 0.5 } }));
beforeEach(() => {
  system.receiver.answer(200);
  system.receiver.requests.length = 0;
  system.webhooks.away = false;
});

/** Waits until the endpoint's deliveries were returned and its queue rests. */
const untilHeld = ({ subscriptionId }: FakeEndpoint) =>
  waitFor(
    async () => {
      const rows = await system.sql(
        `SELECT 1 FROM endpoint_queues q WHERE subscription_id = $1 AND next_due_at > $2 AND NOT EXISTS (
           SELECT 1 FROM due_deliveries d WHERE d.subscription_id = q.subscription_id AND lease_id IS NOT NULL)`,
        [subscriptionId, system.clock.now()],
      );
      return rows.length === 1;
    },
    { describe: "the queue at rest" },
  );

describe("subscriptions that do not take deliveries", () => {
  test("a paused one keeps its queue without using up attempts, and goes on when resumed", async () => {
    const endpoint = system.addEndpoint();
    system.receiver.answer(500);
    await system.publishCompletion(endpoint, 3);
    await system.waitForDeliveries(endpoint, "pending", 1);
    system.receiver.answer(200);
    await system.change(endpoint, { status: "paused" });
    system.clock.advance(30_000);
    await untilHeld(endpoint);
    system.clock.advance(86_400_000);
    await untilHeld(endpoint);
    await system.waitForDeliveries(endpoint, "pending", 1);
    await system.change(endpoint, { status: "active" });
    system.clock.advance(60_000);
    await system.waitForDeliveries(endpoint, "delivered", 2);
    expect(system.receivedBy(endpoint)).toHaveLength(6);
  });

  test("a deleted one has its queue cancelled", async () => {
    const endpoint = system.addEndpoint();
    system.receiver.answer(500);
    await system.publishCompletion(endpoint, 3);
    await system.waitForDeliveries(endpoint, "pending", 1);
    await system.remove(endpoint);
    system.clock.advance(30_000);
    const statuses = () =>
      system.sql(`SELECT DISTINCT status FROM ${SHOWN} WHERE subscription_id = $1`, [endpoint.subscriptionId]);
    await waitFor(async () => (await statuses())[0]!["status"] === "cancelled", { describe: "cancelled" });
    expect(await statuses()).toHaveLength(1);
    expect(system.receivedBy(endpoint)).toHaveLength(3);
  });
});

test("while the webhook service is away, workspaces wait that nobody asked for yet: no attempt is used up, and events come again", async () => {
  const endpoint = system.addEndpoint();
  const known = system.addEndpoint();
  await system.publishCompletion(known);
  system.webhooks.away = true;
  await system.queue(endpoint, completion(endpoint.workspaceId, system.clock.now()));
  const missed = completion(endpoint.workspaceId, system.clock.now());
  const other = completion(known.workspaceId, system.clock.now());
  expect(await system.handOver([missed, other])).toEqual([other.eventId]);
  system.clock.advance(20);
  await untilHeld(endpoint);
  system.webhooks.away = false;
  await system.handOver([missed]);
  system.clock.advance(2000);
  const deliveries = await waitFor(
    async () => {
      const found = await system.list(endpoint, "delivered");
      return found.length === 2 ? found : undefined;
    },
    { describe: "both delivered" },
  );
  expect(deliveries.map(({ attempts }) => attempts.length)).toEqual([1, 1]);
});

describe("while the webhook service hangs", () => {
  let released: PromiseWithResolvers<void>;

  beforeEach(() => {
    released = Promise.withResolvers();
    system.webhooks.onAsked = () => released.promise;
  });
  afterEach(() => {
    system.webhooks.onAsked = undefined;
    released.resolve();
  });

  const completionOf = ({ workspaceId }: FakeEndpoint) => completion(workspaceId, system.clock.now());

  test("events of known workspaces are queued before unknown workspaces are asked for", async () => {
    const [unknown, known] = [system.addEndpoint(), system.addEndpoint()];
    system.webhooks.onAsked = undefined;
    await system.publishCompletion(known);
    const [missed, other] = [completionOf(unknown), completionOf(known)];
    const queuedBefore: boolean[] = [];
    system.webhooks.onAsked = async () => {
      const rows = await system.sql("SELECT 1 FROM deliveries WHERE event_id = $1", [other.eventId]);
      queuedBefore.push(rows.length === 1);
      await released.promise;
    };
    expect(await system.handOver([missed, other])).toEqual([other.eventId]);
    expect(queuedBefore).toEqual([true]);
  });

  test("one call is waited for, not one for each event of an unknown workspace", async () => {
    const unknown = Array.from({ length: 30 }, () => system.addEndpoint());
    const missed = unknown.map(completionOf);
    const before = system.webhooks.asked.length;
    for (const event of missed) expect(await system.handOver([event])).toEqual([]);
    expect(system.webhooks.asked.length - before).toBeLessThan(15);

    system.webhooks.onAsked = undefined;
    released.resolve();
    await waitFor(async () => (await system.handOver(missed)).length === missed.length, { describe: "all stored" });
  });
});
