import { fromBinary } from "@bufbuild/protobuf";
import { EventSchema } from "@canvass/proto/events";
import { callOptions } from "@canvass/rpc";
import { codeOf, idempotency, signedPerson } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { refusal, startDeliverySystem } from "./delivery-system.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

const system = await sharedByFile(startDeliverySystem({ overrides: { random: () => 0.5 } }));
beforeEach(() => {
  system.receiver.answer(200);
  system.receiver.requests.length = 0;
});

const redeliver = ({ workspaceId, subscriptionId }: FakeEndpoint, deliveryId: string, options = {}) =>
  system.deliveries.redeliverDelivery({ subscriptionId, deliveryId }, { ...system.callAs(workspaceId), ...options });

/** Publishes an event and waits until it is delivered. */
async function deliverOne(endpoint = system.addEndpoint()) {
  await system.publishCompletion(endpoint);
  const [delivery] = await system.waitForDeliveries(endpoint, "delivered", 1);
  return { endpoint, delivery: delivery!, deliveryId: delivery!.deliveryId };
}

const settle = (endpoint: FakeEndpoint, deliveryId: string, status: string) =>
  system.sql("UPDATE deliveries SET status = $3 WHERE workspace_id = $1 AND delivery_id = $2", [
    endpoint.workspaceId,
    deliveryId,
    status,
  ]);

test("a redelivery is a new delivery of the same event, with the same id and bytes", async () => {
  const { endpoint, delivery, deliveryId } = await deliverOne();
  system.clock.advance(1000);
  const { delivery: again } = await redeliver(endpoint, deliveryId);
  expect(again).toMatchObject({
    eventId: delivery.eventId,
    eventType: "response.completed",
    status: "pending",
    redeliveryOf: deliveryId,
    attempts: [],
  });
  expect(again!.nextAttemptAt).toEqual(again!.createdAt);
  const listed = await system.waitForDeliveries(endpoint, "delivered", 1);
  expect(listed.map((one) => one.deliveryId)).toEqual([again!.deliveryId, deliveryId]);
  const [first, second] = system.receivedBy(endpoint);
  expect(second!.body).toBe(first!.body);
  expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
  // And that one again.
  const { delivery: third } = await redeliver(endpoint, again!.deliveryId);
  expect(third).toMatchObject({ redeliveryOf: again!.deliveryId });
  expect(await system.waitForDeliveries(endpoint, "delivered", 1)).toHaveLength(3);
});

test("a redelivery is audited, without the event's body", async () => {
  const { endpoint, deliveryId } = await deliverOne();
  const { delivery } = await redeliver(endpoint, deliveryId);
  const [row] = await system.sql<{ payload: Uint8Array }>("SELECT payload FROM outbox_events WHERE workspace_id = $1", [
    endpoint.workspaceId,
  ]);
  const { body, source } = fromBinary(EventSchema, row!.payload);
  if (body.case !== "auditRecorded") throw new Error("not audited");
  expect(source).toBe("delivery");
  expect(body.value).toMatchObject({
    action: "subscription.delivery_redelivered",
    resourceId: endpoint.subscriptionId,
    beforeJson: "",
  });
  expect(JSON.parse(body.value.afterJson)).toEqual({
    delivery_id: delivery!.deliveryId,
    redelivery_of: deliveryId,
    event_id: delivery!.eventId,
  });
});

test("of fifty requests at the same moment one queues a redelivery", async () => {
  const { endpoint, deliveryId } = await deliverOne();
  // It stays pending.
  system.receiver.answer(500);
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => codeOf(redeliver(endpoint, deliveryId))));
  expect(outcomes.toSorted()).toEqual([...Array(49).fill("delivery_pending"), "fine"]);
  expect(await system.list(endpoint, "pending")).toHaveLength(1);
  expect(await system.list(endpoint)).toHaveLength(2);
});

test("the database itself takes one pending redelivery of an event", async () => {
  const { endpoint, deliveryId } = await deliverOne();
  system.receiver.answer(500);
  await redeliver(endpoint, deliveryId);
  const copy = system.sql(
    `INSERT INTO deliveries (workspace_id, subscription_id, delivery_id, event_id, sequence, event_type, body, status, created_at)
     SELECT workspace_id, subscription_id, 'copy', event_id, 7, event_type, body, 'pending', created_at
     FROM deliveries WHERE delivery_id = $1`,
    [deliveryId],
  );
  await expect(copy).rejects.toMatchObject({ constraint: "deliveries_pending_redelivery_key" });
});

test("a delivery that is pending, or whose event has a pending redelivery, is not queued again", async () => {
  const endpoint = system.addEndpoint();
  system.receiver.answer(500);
  await system.publishCompletion(endpoint);
  const [pending] = await system.waitForDeliveries(endpoint, "pending", 1);
  expect(await refusal(redeliver(endpoint, pending!.deliveryId))).toMatchObject({ code: "delivery_pending" });
  system.receiver.answer(200);
  const { deliveryId, endpoint: other } = await deliverOne();
  system.receiver.answer(500);
  await redeliver(other, deliveryId);
  expect(await refusal(redeliver(other, deliveryId))).toMatchObject({ code: "delivery_pending" });
});

test("refusals come in the order of the contract, and queue nothing", async () => {
  const { endpoint, deliveryId } = await deliverOne();
  const { workspaceId, subscriptionId } = endpoint;
  const absent = "0".repeat(16);
  const ask = (fields: { endpoint?: FakeEndpoint; id?: string; plan?: string }) =>
    refusal(
      redeliver(fields.endpoint ?? endpoint, fields.id ?? deliveryId, {
        ...callOptions({ signedCaller: signedPerson({ workspaceId, plan: fields.plan ?? "enterprise" }) }),
      }),
    );
  const feed = system.addEndpoint({ workspaceId, mode: "pull" });
  expect(await ask({ endpoint: { ...endpoint, subscriptionId: absent } })).toMatchObject({
    code: "subscription_not_found",
  });
  for (const id of [absent, "no id", "", "\0"]) expect(await ask({ id })).toMatchObject({ code: "delivery_not_found" });
  expect(await ask({ id: absent, plan: "free" })).toMatchObject({ code: "delivery_not_found" });
  expect(await ask({ plan: "free" })).toMatchObject({ code: "feature_locked" });
  // A feed has no deliveries, so none is absent there.
  expect(await ask({ endpoint: feed, id: absent })).toMatchObject({ code: "subscription_is_pull" });
  expect(await ask({ endpoint: feed, plan: "free" })).toMatchObject({ code: "feature_locked" });
  // Another webhook's delivery.
  const sibling = system.addEndpoint({ workspaceId });
  expect(await ask({ endpoint: sibling })).toMatchObject({ code: "delivery_not_found" });
  await settle(endpoint, deliveryId, "cancelled");
  for (const status of ["paused", "disabled"]) {
    endpoint.status = status;
    expect(await ask({})).toMatchObject({ code: "subscription_not_active", details: { status } });
  }
  endpoint.status = "active";
  expect(await ask({})).toMatchObject({ code: "invalid_transition", details: { state: "cancelled" } });
  const rows = await system.sql("SELECT 1 FROM deliveries WHERE subscription_id = $1", [subscriptionId]);
  expect(rows).toHaveLength(1);
});

test("with an idempotency key a redelivery happens once, and a repetition gets the first response", async () => {
  const { endpoint, deliveryId } = await deliverOne();
  const keyed = () => {
    const { workspaceId } = endpoint;
    const signedCaller = signedPerson({ workspaceId });
    return redeliver(endpoint, deliveryId, callOptions({ signedCaller, idempotency: idempotency("once", {}) }));
  };
  const first = await keyed();
  await system.waitForDeliveries(endpoint, "delivered", 1);
  endpoint.status = "paused";
  expect(await keyed()).toEqual(first);
  endpoint.status = "active";
  expect(await system.list(endpoint)).toHaveLength(2);
});

test("failed redeliveries are shown as failures, and do not count toward pausing", async () => {
  const { endpoint, deliveryId } = await deliverOne();
  system.receiver.answer(500);
  await redeliver(endpoint, deliveryId);
  await system.list(endpoint);
  const health = () =>
    system.sql(
      "SELECT consecutive_failures AS shown, pausing_failures AS pausing FROM endpoint_health WHERE subscription_id = $1",
      [endpoint.subscriptionId],
    );
  await waitFor(async () => (await health())[0]?.["shown"] === 1, { describe: "the failure" });
  expect(await health()).toEqual([{ shown: 1, pausing: 0 }]);
});
