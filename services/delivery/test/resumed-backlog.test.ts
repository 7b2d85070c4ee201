import { sqlFromPg } from "@canvass/postgres";
import { externalEventBody, externalEvent } from "@canvass/events";
import { newId } from "@canvass/values";
import { waitFor } from "@canvass/testing";
import { afterEach, expect, test } from "vitest";
import { insertDeliveries, type NewDelivery } from "../src/storage/insert-deliveries.ts";
import { completion, startDeliverySystem, type DeliverySystem } from "./delivery-system.ts";

const BACKLOG = 5000;
/** Attempts at one webhook. */
const MOST_AT_ONCE = 50;

let system: DeliverySystem;

afterEach(() => system[Symbol.asyncDispose]());

test("a large backlog of a resumed webhook drains under its cap, once each, and delays no other workspace", async () => {
  system = await startDeliverySystem({ environment: { CANVASS_WEBHOOK_ENDPOINT_CONCURRENCY: String(MOST_AT_ONCE) } });
  const resumed = system.addEndpoint({ status: "paused" });
  const other = system.addEndpoint();
  const { workspaceId, subscriptionId } = resumed;
  const event = completion(workspaceId, system.clock.now());
  const body = externalEventBody(externalEvent(event)!);
  const deliveries = Array.from({ length: BACKLOG }, (): NewDelivery => {
    const id = newId(system.clock.now());
    const about = { eventId: id, eventType: "response.completed", body, traceparent: "" };
    return { workspaceId, subscriptionId, deliveryId: id, ...about };
  });
  await insertDeliveries(sqlFromPg(system.pool), deliveries, system.clock.now());

  const seen = new Map<string, number>();
  let underWay = 0;
  let most = 0;
  let goOn = Promise.withResolvers<void>();
  system.receiver.answer(async ({ path, headers }) => {
    if (!resumed.url.endsWith(path)) return 200;
    const id = headers["webhook-id"] as string;
    seen.set(id, (seen.get(id) ?? 0) + 1);
    underWay += 1;
    most = Math.max(most, underWay);
    await goOn.promise;
    underWay -= 1;
    return 200;
  });
  await system.change(resumed, { status: "active" });
  await waitFor(() => underWay === 10, { describe: "the first slots, all taken" });

  // The backlog's receiver does not answer yet, and has no more than its slots.
  await system.publishCompletion(other, 5);
  await system.waitForDeliveries(other, "delivered", 1);
  expect(underWay).toBe(10);
  const leased = await system.sql("SELECT 1 FROM due_deliveries WHERE lease_id IS NOT NULL");
  expect(leased.length).toBeLessThan(10 * MOST_AT_ONCE);
  goOn.resolve();
  goOn = { ...goOn, promise: Promise.resolve() };

  await waitFor(async () => (await system.sql("SELECT 1 FROM due_deliveries LIMIT 1")).length === 0, {
    describe: "the backlog to drain",
    timeoutMs: 100_000,
  });
  expect(seen.size).toBe(BACKLOG);
  expect([...seen.values()].every((count) => count === 1)).toBe(true);
  expect(most).toBeLessThanOrEqual(MOST_AT_ONCE);
});
