import { waitFor } from "@canvass/testing";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { startDeliverySystem } from "./delivery-system.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

const DAY = 86_400_000;

const system = await sharedByFile(startDeliverySystem({ overrides: { random: () => 0.5 } }));

const count = async (table: string, { subscriptionId }: FakeEndpoint) => {
  const text = `SELECT count(*)::int AS count FROM ${table} WHERE subscription_id = $1`;
  return (await system.sql<{ count: number }>(text, [subscriptionId]))[0]!.count;
};

/** Ended deliveries with two attempts each, a second apart, up to a second ago. */
const insertEnded = ({ workspaceId, subscriptionId }: FakeEndpoint, rows: number, prefix: string) =>
  system.sql(
    `WITH made AS (
       INSERT INTO deliveries (workspace_id, subscription_id, delivery_id, event_id, event_type, body, status, created_at)
       SELECT $1, $2, $3 || lpad(n::text, 8, '0'), $3 || n, 'response.completed', '{"response_id":"somebody"}',
         (ARRAY['delivered', 'failed', 'cancelled'])[1 + n % 3], $4::timestamptz - ($5 - n + 1) * interval '1 second'
       FROM generate_series(1, $5::int) AS n RETURNING delivery_id, created_at)
     INSERT INTO attempts
     SELECT $1, $2, delivery_id, number, created_at, 5, 'http_error', 500, 'no'
     FROM made, generate_series(1, 2) AS number`,
    [workspaceId, subscriptionId, prefix, system.clock.now(), rows],
  );

/** Waits until the purge has made a whole round. */
async function untilPurged(): Promise<void> {
  for (const round of [1, 2]) {
    const marker = system.addEndpoint();
    await system.sql(
      `INSERT INTO range_redeliveries (workspace_id, redelivery_id, subscription_id, status, from_at, until_at, after_id, requested_at, finished_at)
       VALUES ('w', $1, $1, 'failed', $2::timestamptz, $2, '', $2, $2)`,
      [marker.subscriptionId, new Date(0)],
    );
    await waitFor(async () => (await count("range_redeliveries", marker)) === 0, { describe: `round ${round}` });
  }
}

test("ended deliveries leave after thirty days with their attempts, more than a batch too; pending ones stay", async () => {
  const endpoint = system.addEndpoint();
  system.receiver.answer(500);
  await system.publishCompletion(endpoint);
  await system.waitForDeliveries(endpoint, "pending", 1);
  await system.change(endpoint, { status: "paused" });
  await insertEnded(endpoint, 2500, "old-----");
  system.clock.advance(30 * DAY - 2501 * 1000);
  await insertEnded(endpoint, 10, "young---");
  await untilPurged();
  expect(await count("deliveries", endpoint)).toBe(2511);
  system.clock.advance(2501 * 1000);
  await waitFor(async () => (await count("deliveries", endpoint)) <= 11, { describe: "the old ones to leave" });
  await untilPurged();
  expect(await count("deliveries", endpoint)).toBe(11);
  expect(await count("attempts", endpoint)).toBe(21);
  expect(await system.list(endpoint, "pending")).toMatchObject([{ attempts: [{ number: 1 }] }]);
  const bodies = "SELECT 1 FROM deliveries WHERE subscription_id = $1 AND delivery_id LIKE 'old%'";
  expect(await system.sql(bodies, [endpoint.subscriptionId])).toEqual([]);
  // It ends, so it leaves.
  await system.change(endpoint, { status: "active" });
  system.receiver.answer(200);
  system.clock.advance(60 * DAY);
  await waitFor(async () => (await count("due_deliveries", endpoint)) === 0, { describe: "the last one to end" });
  system.clock.advance(DAY / 24);
  await waitFor(async () => (await count("deliveries", endpoint)) === 0, { describe: "the last one to leave" });
  expect(await count("attempts", endpoint)).toBe(0);
});

test("a page shows each delivery with all its attempts or not at all, while the purge runs", async () => {
  const endpoint = system.addEndpoint();
  await insertEnded(endpoint, 3000, "page----");
  const newest = system.clock.now();
  const sizes = new Set<number>();
  system.clock.advance(30 * DAY);
  for (;;) {
    const listed = await system.list(endpoint);
    for (const { attempts } of listed) sizes.add(attempts.length);
    if (listed.length === 0) break;
    expect(timestampDate(listed[0]!.createdAt!).getTime()).toBe(newest.getTime() - 1000);
  }
  expect([...sizes]).toEqual([2]);
});
