import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { completion, startDeliverySystem } from "./delivery-system.ts";
import { SHOWN } from "./delivery-tables.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

const system = await sharedByFile(startDeliverySystem());

const arrivedAt = (url: string) => system.receiver.requests.filter(({ path }) => url.endsWith(path));

const statusesOf = async ({ subscriptionId }: FakeEndpoint) => {
  const rows = await system.sql(
    `SELECT status, count(*)::int FROM ${SHOWN} WHERE subscription_id = $1 GROUP BY status`,
    [subscriptionId],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
};

/** Due deliveries without a lease and without an attempt. */
const keptBy = ({ subscriptionId }: FakeEndpoint) =>
  system.sql(
    `SELECT 1 FROM due_deliveries WHERE subscription_id = $1
     AND lease_id IS NULL AND begun_at IS NULL AND attempts = 0`,
    [subscriptionId],
  );

/** Calls `change` during a burst: ten attempts in flight, 40 deliveries behind them. */
async function changeInBurst(endpoint: FakeEndpoint, change: () => unknown): Promise<void> {
  const changed = Promise.withResolvers<void>();
  system.receiver.answer(async () => {
    await changed.promise;
    return { status: 200, delayMs: 300 };
  });
  const events = Array.from({ length: 50 }, () => completion(endpoint.workspaceId, system.clock.now()));
  await system.handOver(events);
  const { url } = endpoint;
  await waitFor(() => arrivedAt(url).length === 10, { describe: "ten requests" });
  await change();
  changed.resolve();
}

test("a webhook that is deleted in the middle of a burst is sent nothing more; the rest is cancelled", async () => {
  const endpoint = system.addEndpoint();
  await changeInBurst(endpoint, () => system.remove(endpoint));
  await waitFor(async () => (await statusesOf(endpoint))["cancelled"] === 40, { describe: "the rest cancelled" });
  await waitFor(async () => (await statusesOf(endpoint))["delivered"] === 10, { describe: "the begun ones delivered" });
  expect(arrivedAt(endpoint.url)).toHaveLength(10);
});

test("a webhook that is paused in the middle of a burst keeps the rest, without a lease and without an attempt", async () => {
  const endpoint = system.addEndpoint();
  await changeInBurst(endpoint, () => system.change(endpoint, { status: "paused" }));
  await waitFor(async () => (await keptBy(endpoint)).length === 40, { describe: "the rest kept" });
  await waitFor(async () => (await statusesOf(endpoint))["delivered"] === 10, { describe: "the begun ones delivered" });
  expect(arrivedAt(endpoint.url)).toHaveLength(10);
});

test("a webhook whose address changes in the middle of a burst is sent the rest there", async () => {
  const endpoint = system.addEndpoint();
  const { url: former } = endpoint;
  await changeInBurst(endpoint, () => system.change(endpoint, { url: `${former}-moved` }));
  await system.waitForDeliveries(endpoint, "delivered", 1);
  expect(arrivedAt(former)).toHaveLength(10);
  expect(arrivedAt(endpoint.url)).toHaveLength(40);
});

test("while the webhook service is away deliveries go on", async () => {
  const endpoint = system.addEndpoint();
  await changeInBurst(endpoint, () => (system.webhooks.away = true));
  await waitFor(async () => (await statusesOf(endpoint))["delivered"] === 50, { describe: "the rest delivered" });
  await system.publishCompletion(endpoint);
  await waitFor(() => arrivedAt(endpoint.url).length === 51, { describe: "a new event's" });
  expect((await statusesOf(endpoint))["cancelled"]).toBeUndefined();
  system.webhooks.away = false;
});

test("a 410 of its former address cancels nothing of a webhook that has moved", async () => {
  const endpoint = system.addEndpoint();
  const { url: former } = endpoint;
  const gone = Promise.withResolvers<number>();
  system.receiver.answer(({ path }) => (former.endsWith(path) ? gone.promise : 200));
  await system.publishCompletion(endpoint, 50);
  await waitFor(() => arrivedAt(former).length === 10, { describe: "ten requests" });
  await system.change(endpoint, { url: `${former}-moved`, destinationRevision: 2 });
  gone.resolve(410);
  await waitFor(
    async () => {
      const { pending, ...ended } = await statusesOf(endpoint);
      return pending === undefined && ended;
    },
    { describe: "all ended" },
  );
  expect(await statusesOf(endpoint)).toEqual({ cancelled: 10, delivered: 40 });
  expect(arrivedAt(endpoint.url)).toHaveLength(40);
  expect(endpoint.status ?? "active").toBe("active");
});

test("what is queued after a resumption stays, also if a worker was about to cancel the queue", async () => {
  const endpoint = system.addEndpoint();
  const { subscriptionId } = endpoint;
  system.receiver.answer(500);
  await system.publishCompletion(endpoint);
  await system.waitForDeliveries(endpoint, "pending", 1);
  await system.change(endpoint, { status: "disabled", statusReason: "gone" });
  // The worker records the attempt of a dead one before it cancels, and waits for the lock.
  const locking = await system.pool.connect();
  await locking.query("BEGIN; LOCK TABLE attempts IN SHARE ROW EXCLUSIVE MODE");
  await system.sql(
    `UPDATE due_deliveries SET due_at = $2, scheduled_at = $2, begun_at = $2, lease_id = 'dead' WHERE subscription_id = $1`,
    [subscriptionId, system.clock.now()],
  );
  await system.sql("UPDATE endpoint_queues SET next_due_at = 'epoch' WHERE subscription_id = $1", [subscriptionId]);
  // Attempts of other endpoints may wait to be recorded, too.
  const waiting = `SELECT FROM due_deliveries WHERE subscription_id = $1 AND lease_id <> 'dead' AND EXISTS (
    SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%WITH ended AS%'
      AND datname = current_database())`;
  await waitFor(async () => (await system.sql(waiting, [subscriptionId])).length > 0, {
    describe: "a worker that waits",
  });
  system.clock.advance(1000);
  await system.change(endpoint, { status: "active", statusReason: "", destinationRevision: 2 });
  const answer = Promise.withResolvers<number>();
  system.receiver.answer(() => answer.promise);
  await system.publishCompletion(endpoint, 50);
  await locking.query("COMMIT");
  locking.release();
  await waitFor(async () => (await statusesOf(endpoint))["cancelled"]! > 0, { describe: "the former queue cancelled" });
  answer.resolve(200);
  await waitFor(async () => (await statusesOf(endpoint))["pending"] === undefined, { describe: "all ended" });
  expect(await statusesOf(endpoint)).toEqual({ cancelled: 1, delivered: 50 });
});
