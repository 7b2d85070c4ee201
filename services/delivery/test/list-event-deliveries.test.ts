import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { startDeliverySystem } from "./delivery-system.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

const system = await sharedByFile(startDeliverySystem({ overrides: { random: () => 0.5 } }));
beforeEach(() => system.receiver.answer(200));

const deliveriesOf = (eventId: string, { workspaceId }: FakeEndpoint) =>
  system.deliveries.listEventDeliveries({ eventId }, system.callAs(workspaceId));

test("lists an event's deliveries by webhook, with attempts, next attempt times and outcomes", async () => {
  const first = system.addEndpoint();
  const second = system.addEndpoint({ workspaceId: first.workspaceId });
  system.receiver.answer(({ path }) => (first.url.endsWith(path) ? 503 : 410));
  const [event] = await system.publishCompletion(first);
  await system.waitForDeliveries(first, "pending", 1);
  await system.waitForDeliveries(second, "cancelled", 1);
  const { deliveries, hasMore } = await deliveriesOf(event!.eventId, first);
  expect(hasMore).toBe(false);
  const { body } = event!;
  if (body.case !== "responseCompleted") throw new Error("not a completion");
  const eventTimestamp = body.value.timestamp;
  expect(deliveries).toMatchObject([
    {
      subscriptionId: first.subscriptionId,
      eventTimestamp,
      delivery: { status: "pending", attempts: [{ number: 1 }] },
    },
    { subscriptionId: second.subscriptionId, delivery: { status: "cancelled", attempts: [{ outcome: "gone" }] } },
  ]);
  expect(deliveries[0]!.delivery!.nextAttemptAt).toBeDefined();
});

test("lists the five newest deliveries of each webhook", async () => {
  const endpoint = system.addEndpoint();
  const other = system.addEndpoint({ workspaceId: endpoint.workspaceId });
  const [event] = await system.publishCompletion(endpoint);
  for (let sent = 1; sent <= 6; sent += 1) {
    const listed = await system.waitForDeliveries(endpoint, "delivered", 1);
    expect(listed).toHaveLength(sent);
    const { deliveryId } = listed[0]!;
    const { subscriptionId, workspaceId } = endpoint;
    system.clock.advance(1000);
    await system.deliveries.redeliverDelivery({ subscriptionId, deliveryId }, system.callAs(workspaceId));
  }
  await system.waitForDeliveries(endpoint, "delivered", 1);
  await system.waitForDeliveries(other, "delivered", 1);
  const { deliveries, hasMore } = await deliveriesOf(event!.eventId, endpoint);
  expect(hasMore).toBe(true);
  const newest = (await system.list(endpoint)).slice(0, 5);
  expect(deliveries.map(({ delivery }) => delivery!.deliveryId)).toEqual([
    ...newest.map(({ deliveryId }) => deliveryId),
    (await system.list(other))[0]!.deliveryId,
  ]);
});

test("an event id that is unknown, malformed, empty or of another workspace has no deliveries", async () => {
  const endpoint = system.addEndpoint();
  const [event] = await system.publishCompletion(endpoint);
  const stranger = system.addEndpoint();
  for (const [eventId, who] of [
    [event!.eventId, stranger],
    ["0".repeat(16), endpoint],
    ["no id", endpoint],
    ["", endpoint],
  ] as const) {
    expect(await deliveriesOf(eventId, who)).toMatchObject({ deliveries: [], hasMore: false });
  }
});
