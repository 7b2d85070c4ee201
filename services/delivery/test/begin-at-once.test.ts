import { newId } from "@canvass/values";
import { sqlFromPg } from "@canvass/postgres";
import { waitFor } from "@canvass/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { insertDeliveries } from "../src/storage/insert-deliveries.ts";
import { completion, startDeliverySystem, type DeliverySystem } from "./delivery-system.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

let system: DeliverySystem;

beforeEach(async () => {
  system = await startDeliverySystem({ overrides: { random: () => 0.5 } });
});
afterEach(() => system[Symbol.asyncDispose]());

const idsAt = (endpoint: FakeEndpoint) =>
  system.receivedBy(endpoint).map(({ headers }) => String(headers["webhook-id"]));
const due = () => system.sql("SELECT lease_id, begun_at, attempts FROM due_deliveries");
const outcomes = () => system.sql("SELECT number, outcome FROM attempts ORDER BY delivery_id, number");

/** Locks the endpoint's queue: until `release`, a statement that queues a delivery waits just before its commit. */
async function holdQueue({ workspaceId, subscriptionId }: FakeEndpoint) {
  await system.pool.query("INSERT INTO endpoint_queues (workspace_id, subscription_id) VALUES ($1, $2)", [
    workspaceId,
    subscriptionId,
  ]);
  const client = await system.pool.connect();
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM endpoint_queues FOR UPDATE");
  const waiting = () =>
    system.sql("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%judged%'");
  return {
    untilHeld: () => waitFor(async () => (await waiting()).length === 1, { describe: "a held queue" }),
    release: async () => {
      await client.query("COMMIT");
      client.release();
    },
  };
}

test("a lone event is queued and begun by one statement", async () => {
  const endpoint = system.addEndpoint();
  const held = Promise.withResolvers<number>();
  system.receiver.answer(() => held.promise);
  await system.publishCompletion(endpoint, 1);
  await waitFor(() => system.receivedBy(endpoint).length === 1, { describe: "the request" });
  expect(await due()).toEqual([{ lease_id: expect.any(String), begun_at: expect.any(Date), attempts: 0 }]);
  // No worker has polled.
  expect(await system.sql("SELECT claimed_at FROM endpoint_queues")).toEqual([{ claimed_at: null }]);
  held.resolve(200);
  await system.waitForDeliveries(endpoint, "delivered", 1);
});

/** Adds a webhook whose workspace the service has asked for. */
async function addKnownEndpoint(): Promise<FakeEndpoint> {
  const endpoint = system.addEndpoint({ status: "paused" });
  await system.publishCompletion(endpoint);
  await system.change(endpoint, { status: "active" });
  return endpoint;
}

/**
 * Begins a delivery without sending it, as a process does that dies right after its commit. Resolves once another
 * webhook was served; returns the event's id.
 */
async function leaveBegun({ workspaceId, subscriptionId }: FakeEndpoint): Promise<string> {
  const at = system.clock.now();
  const eventId = newId(at);
  const event = { eventId, eventType: "response.completed", body: "{}", traceparent: "" };
  const delivery = { workspaceId, subscriptionId, deliveryId: newId(at), ...event };
  const lease = { leaseId: newId(at), leaseUntil: new Date(at.getTime() + 20_000) };
  const leased = await insertDeliveries(sqlFromPg(system.pool), [delivery], at, { ...lease, revisions: [2] });
  expect([...leased.keys()]).toEqual([delivery.deliveryId]);
  const witness = system.addEndpoint();
  await system.publishCompletion(witness);
  await system.waitForDeliveries(witness, "delivered", 1);
  return eventId;
}

test("a delivery whose process was killed between queueing and sending is sent after the lease, and the begun attempt counts", async () => {
  const endpoint = await addKnownEndpoint();
  const eventId = await leaveBegun(endpoint);
  expect(idsAt(endpoint)).toEqual([]);

  system.clock.advance(21_000);
  await waitFor(async () => (await outcomes()).length === 2, { describe: "the interrupted attempt" });
  system.clock.advance(30_000);
  const [settled] = await system.waitForDeliveries(endpoint, "delivered", 2);
  expect(settled!.attempts.map(({ outcome }) => outcome)).toEqual(["no_response", "success"]);
  expect(idsAt(endpoint)).toEqual([eventId]);
});

test.each(["paused", "absent"])(
  "an attempt that a dead process began counts although its webhook is %s by now",
  async (status) => {
    const endpoint = await addKnownEndpoint();
    await leaveBegun(endpoint);
    if (status === "absent") await system.remove(endpoint);
    else await system.change(endpoint, { status });
    system.clock.advance(21_000);
    await waitFor(async () => (await outcomes()).length === 2, { describe: "the interrupted attempt" });
    expect(new Set((await outcomes()).map(({ outcome }) => outcome))).toEqual(new Set(["no_response", "success"]));
    expect(idsAt(endpoint)).toEqual([]);
  },
);

test("events that come many times at once, while two processes send, are sent once and leave no slot taken", async () => {
  await using replica = await system.startAnother();
  const endpoint = system.addEndpoint();
  const events = Array.from({ length: 5 }, () => completion(endpoint.workspaceId, system.clock.now()));
  await Promise.all(Array.from({ length: 20 }, () => system.handOver(events)));
  const more = await system.publishCompletion(endpoint, 20);
  const settled = await waitFor(
    async () => {
      const found = await system.list(endpoint, "delivered");
      return found.length === 25 ? found : undefined;
    },
    { describe: "all delivered" },
  );
  expect(settled.every(({ attempts }) => attempts.length === 1)).toBe(true);
  expect(idsAt(endpoint).toSorted()).toEqual([...events, ...more].map(({ eventId }) => eventId).toSorted());
  expect(replica).toBeDefined();
});

test("a process that was stopped until its lease leaves no time for an attempt sends nothing under it", async () => {
  const endpoint = system.addEndpoint();
  const queue = await holdQueue(endpoint);
  const handing = system.publishCompletion(endpoint, 1);
  await queue.untilHeld();
  system.clock.advance(15_000);
  await queue.release();
  const [event] = await handing;
  // Given back and sent under another lease, which leaves time for a whole attempt.
  const [settled] = await system.waitForDeliveries(endpoint, "delivered", 1);
  expect(settled!.attempts[0]!.attemptedAt).toBeDefined();
  expect(idsAt(endpoint)).toEqual([event!.eventId]);
  expect(await system.sql("SELECT claimed_at IS NOT NULL AS claimed FROM endpoint_queues")).toEqual([
    { claimed: true },
  ]);
});

test("a webhook that is to be disabled begins nothing", async () => {
  const endpoint = system.addEndpoint();
  const { workspaceId, subscriptionId } = endpoint;
  const disabling = Promise.withResolvers<void>();
  system.webhooks.mayDisable = disabling.promise;
  await system.pool.query("INSERT INTO disable_requests VALUES ($1, $2, 'blocked', $3)", [
    workspaceId,
    subscriptionId,
    system.clock.now(),
  ]);
  await system.publishCompletion(endpoint, 3);
  const rows = await due();
  expect(rows.map(({ lease_id }) => lease_id)).toEqual([null, null, null]);
  expect(idsAt(endpoint)).toEqual([]);
  disabling.resolve();
});

test("an endpoint gets as many attempts at once as it has slots; the rest wait without a lease", async () => {
  const endpoint = system.addEndpoint();
  const other = system.addEndpoint();
  const held = Promise.withResolvers<number>();
  system.receiver.answer(() => held.promise);
  await system.publishCompletion(endpoint, 100);
  await waitFor(() => system.receivedBy(endpoint).length === 10, { describe: "ten requests" });
  // Those that come later do not overtake.
  await system.publishCompletion(endpoint, 5);
  const counted = "SELECT count(begun_at)::int AS begun, count(lease_id)::int AS leased FROM due_deliveries";
  expect(await system.sql(counted)).toEqual([{ begun: 10, leased: 10 }]);
  await system.publishCompletion(other, 1);
  await waitFor(() => system.receivedBy(other).length === 1, { describe: "the other endpoint's request" });
  expect(system.receivedBy(endpoint)).toHaveLength(10);
  held.resolve(200);
});
