import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { sqlFromPg } from "@canvass/postgres";
import { codeOf } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { pageSql } from "../src/storage/find-deliveries.ts";
import { createDeliveriesPurge } from "../src/storage/purge-deliveries.ts";
import { countRedeliverable } from "../src/storage/redeliver.ts";
import { startDeliverySystem } from "./delivery-system.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

const system = await sharedByFile(startDeliverySystem({ overrides: { random: () => 0.5 } }));

const stored = ({ subscriptionId }: FakeEndpoint) =>
  system.sql("SELECT status, ctid::text AS place, xmax::text AS changed FROM deliveries WHERE subscription_id = $1", [
    subscriptionId,
  ]);
const listed = async (endpoint: FakeEndpoint) =>
  Promise.all(["pending", "delivered", "failed"].map(async (status) => (await system.list(endpoint, status)).length));

/** Begins the first attempt of a delivery, in flight until the test answers it. */
async function beginAttempt() {
  const endpoint = system.addEndpoint();
  const answer = Promise.withResolvers<number>();
  system.receiver.answer(() => answer.promise);
  await system.publishCompletion(endpoint);
  await waitFor(() => system.receivedBy(endpoint).length === 1, { describe: "the request" });
  return { endpoint, answer };
}

test("what is sent as it is queued is pending to everybody until it ends, and success leaves its row as it was", async () => {
  const { endpoint, answer } = await beginAttempt();
  const before = await stored(endpoint);
  expect(before).toMatchObject([{ status: "delivered", changed: "0" }]);
  expect(await listed(endpoint)).toEqual([1, 0, 0]);
  const [delivery] = await system.list(endpoint);
  expect(delivery).toMatchObject({ status: "pending", attempts: [] });
  expect(delivery!.nextAttemptAt).toEqual(timestampFromDate(system.clock.now()));

  const { workspaceId, subscriptionId } = endpoint;
  const { eventId, deliveryId } = delivery!;
  const explained = await system.deliveries.listEventDeliveries({ eventId }, system.callAs(workspaceId));
  expect(JSON.stringify(explained, (_, value) => (typeof value === "bigint" ? `${value}` : value))).toContain(
    "pending",
  );
  const again = system.deliveries.redeliverDelivery({ subscriptionId, deliveryId }, system.callAs(workspaceId));
  expect(await codeOf(again)).toBe("delivery_pending");
  const later = new Date(system.clock.now().getTime() + 1000);
  const range = { workspaceId, subscriptionId, fromAt: new Date(0), untilAt: later, afterId: "" } as const;
  const sql = sqlFromPg(system.pool);
  expect(await countRedeliverable(sql, { ...range, status: "delivered" }, 10)).toMatchObject({ count: 0 });
  expect(await createDeliveriesPurge()(sql, later, 10)).toBe(0);

  answer.resolve(200);
  await system.waitForDeliveries(endpoint, "delivered", 1);
  expect(await listed(endpoint)).toEqual([0, 1, 0]);
  expect(await stored(endpoint)).toEqual(before);
});

test("waiting for another attempt leaves the row as it was, too; another end than success is stored", async () => {
  const { endpoint, answer } = await beginAttempt();
  const before = await stored(endpoint);
  answer.resolve(500);
  await system.waitForDeliveries(endpoint, "pending", 1);
  expect(await stored(endpoint)).toEqual(before);
  expect(await listed(endpoint)).toEqual([1, 0, 0]);
  system.receiver.answer(200);
  system.clock.advance(30_000);
  await system.waitForDeliveries(endpoint, "delivered", 2);
  expect(await stored(endpoint)).toEqual(before);
  expect(await listed(endpoint)).toEqual([0, 1, 0]);
  system.receiver.answer(410);
  await system.publishCompletion(endpoint);
  await waitFor(async () => (await system.list(endpoint, "cancelled")).length === 1, { describe: "the end" });
  expect(await listed(endpoint)).toEqual([0, 1, 0]);
});

test("a redelivery is stored as pending until it ends", async () => {
  const endpoint = system.addEndpoint();
  system.receiver.answer(200);
  await system.publishCompletion(endpoint);
  const [first] = await system.waitForDeliveries(endpoint, "delivered", 1);
  system.receiver.answer(500);
  const { subscriptionId, workspaceId } = endpoint;
  const { deliveryId } = first!;
  await system.deliveries.redeliverDelivery({ subscriptionId, deliveryId }, system.callAs(workspaceId));
  await waitFor(() => system.receivedBy(endpoint).length === 2, { describe: "the request" });
  const statuses = async () => {
    const rows = await system.sql<{ status: string }>(
      "SELECT status FROM deliveries WHERE subscription_id = $1 ORDER BY sequence",
      [subscriptionId],
    );
    return rows.map(({ status }) => status);
  };
  expect(await statuses()).toEqual(["delivered", "pending"]);
  system.receiver.answer(200);
  await waitFor(async () => (await system.list(endpoint, "pending"))[0]?.attempts.length === 1, {
    describe: "its end",
  });
  system.clock.advance(30_000);
  await waitFor(async () => (await system.list(endpoint, "delivered")).length === 2, { describe: "the next attempt" });
  expect(await statuses()).toEqual(["delivered", "delivered"]);
});

test("delivered ones are listed without passing over a queue", async () => {
  const { workspaceId, subscriptionId } = system.addEndpoint({ status: "paused" });
  await system.sql(
    `INSERT INTO deliveries (workspace_id, subscription_id, delivery_id, event_id, event_type, body, status, created_at)
     SELECT $1, $2, 'd' || n, 'e' || n, 'response.completed', '{}', 'delivered', now() FROM generate_series(1, 2000) AS n`,
    [workspaceId, subscriptionId],
  );
  await system.sql(
    `INSERT INTO due_deliveries (workspace_id, subscription_id, delivery_id, due_at, scheduled_at, attempts)
     SELECT $1, $2, 'd' || n, now(), now(), 0 FROM generate_series(2, 2000) AS n`,
    [workspaceId, subscriptionId],
  );
  await system.sql("INSERT INTO attempts VALUES ($1, $2, 'd1', 1, now(), 5, 'success', 200, '')", [
    workspaceId,
    subscriptionId,
  ]);
  const plan = await system.sql<{ "QUERY PLAN": string }>(
    `EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF) ${pageSql("delivered")}`,
    [workspaceId, subscriptionId, "z", 10],
  );
  const text = plan.map((line) => line["QUERY PLAN"]).join("\n");
  expect(text).toContain("attempts_success_idx");
  expect(text).not.toMatch(/rows=\d{2,}/);
});

test("pages of pending ones are newest first, whether they wait, are sent for the first time or again", async () => {
  const { endpoint, answer } = await beginAttempt();
  const events = [];
  for (let count = 0; count < 20; count += 1) {
    system.clock.advance(1);
    events.push(...(await system.publishCompletion(endpoint)));
  }
  const pending = await system.list(endpoint, "pending");
  expect(pending).toHaveLength(21);
  expect(pending.map(({ deliveryId }) => deliveryId)).toEqual(
    pending
      .map(({ deliveryId }) => deliveryId)
      .toSorted()
      .toReversed(),
  );
  expect(pending.slice(0, 20).map(({ eventId }) => eventId)).toEqual(events.map(({ eventId }) => eventId).toReversed());
  expect(await listed(endpoint)).toEqual([21, 0, 0]);
  answer.resolve(200);
  await system.waitForDeliveries(endpoint, "delivered", 1);
});
