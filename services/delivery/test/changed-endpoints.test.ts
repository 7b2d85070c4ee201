import { waitFor } from "@canvass/testing";
import { forFile } from "@canvass/testing/for-file";
import { expect, test } from "vitest";
import { completion, startDeliverySystem } from "./delivery-system.ts";
import { SHOWN } from "./delivery-tables.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

const system = await forFile(startDeliverySystem());

const arrivedAt = (url: string) => system.receiver.requests.filter(({ path }) => url.endsWith(path));

const statusesOf = async ({ subscriptionId }: FakeEndpoint) => {
  const rows = await system.sql(
    `SELECT status, count(*)::int FROM ${SHOWN} WHERE subscription_id = $1 GROUP BY status`,
    [subscriptionId],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
};

/** Unclaimed and unattempted. */
const keptBy = ({ subscriptionId }: FakeEndpoint) =>
  system.sql(
    `SELECT 1 FROM due_deliveries WHERE subscription_id = $1
     AND lease_id IS NULL AND begun_at IS NULL AND attempts = 0`,
    [subscriptionId],
  );

/** The endpoint changes during a burst: ten attempts under way, 40 deliveries behind them. */
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

test("one that is paused keeps the rest, without a lease and without an attempt", async () => {
  const endpoint = system.addEndpoint();
  await changeInBurst(endpoint, () => system.change(endpoint, { status: "paused" }));
  await waitFor(async () => (await keptBy(endpoint)).length === 40, { describe: "the rest kept" });
  await waitFor(async () => (await statusesOf(endpoint))["delivered"] === 10, { describe: "the begun ones delivered" });
  expect(arrivedAt(endpoint.url)).toHaveLength(10);
});

test("one whose address changes is sent the rest there", async () => {
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
  await system.complete(endpoint);
  await waitFor(() => arrivedAt(endpoint.url).length === 51, { describe: "a new event's" });
  expect((await statusesOf(endpoint))["cancelled"]).toBeUndefined();
  system.webhooks.away = false;
});
