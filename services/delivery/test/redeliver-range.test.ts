import { timestampDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@canvass/values";
import { callOptions } from "@canvass/rpc";
import { idempotency, signedPerson } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { refusal, startDeliverySystem } from "./delivery-system.ts";
import type { FakeEndpoint } from "./fake-webhook-service.ts";

const system = await sharedByFile(startDeliverySystem());
beforeEach(() => {
  system.webhooks.away = false;
  system.receiver.answer(200);
  system.receiver.requests.length = 0;
  // So that every test has a time of its own.
  system.clock.advance(86_400_000);
});

const redeliver = ({ workspaceId, subscriptionId }: FakeEndpoint, body: object, options = {}) =>
  system.deliveries.redeliverRange(
    { subscriptionId, bodyJson: JSON.stringify(body) },
    { ...system.callAs(workspaceId), ...options },
  );

/** Inserts ended deliveries of `count` events, a second apart, without attempts. Advances the clock past them; returns the first's time. */
async function insertEnded(
  { workspaceId, subscriptionId }: FakeEndpoint,
  count: number,
  status = "failed",
): Promise<Date> {
  const start = system.clock.now();
  const times = Array.from({ length: count }, (_, index) => new Date(start.getTime() + index * 1000));
  await system.sql(
    `INSERT INTO deliveries (workspace_id, subscription_id, delivery_id, event_id, event_type, body, status, created_at)
     SELECT $1, $2, id, 'event-' || id, 'response.completed', '{}', $5, at
     FROM unnest($3::text[], $4::timestamptz[]) AS new (id, at)`,
    [workspaceId, subscriptionId, times.map((at) => newId(at)), times, status],
  );
  system.clock.advance(count * 1000);
  return start;
}

const count = async ({ subscriptionId }: FakeEndpoint, condition = "true") => {
  const text = `SELECT count(*)::int AS count FROM deliveries WHERE subscription_id = $1 AND ${condition}`;
  return (await system.sql<{ count: number }>(text, [subscriptionId]))[0]!.count;
};

/** Advances the clock until no range of the webhook is open: a range rests while the webhook's queue is full. */
const untilFinished = ({ subscriptionId }: FakeEndpoint) =>
  waitFor(
    async () => {
      system.clock.advance(100);
      const open = await system.sql(
        "SELECT 1 FROM range_redeliveries WHERE subscription_id = $1 AND due_at IS NOT NULL",
        [subscriptionId],
      );
      return open.length === 0;
    },
    { describe: "the range to be queued" },
  );

test("the failed deliveries of a range are sent again, and nothing else", async () => {
  const endpoint = system.addEndpoint();
  await insertEnded(endpoint, 3);
  const from = await insertEnded(endpoint, 1200);
  const to = system.clock.now();
  await insertEnded(endpoint, 3);
  await insertEnded(endpoint, 5, "delivered");
  await insertEnded(endpoint, 5, "cancelled");
  const answer = await redeliver(endpoint, { status: "failed", from, to });
  expect(answer).toMatchObject({
    status: "failed",
    deliveries: 1200,
    redeliveryId: expect.stringMatching(/^[0-9a-z]{16}$/),
  });
  expect([answer.from!, answer.to!].map(timestampDate)).toEqual([from, to]);
  await untilFinished(endpoint);
  await waitFor(async () => (await count(endpoint, "status = 'delivered' AND sequence = 1")) === 1200, {
    describe: "1200 redeliveries",
  });
  expect(await count(endpoint, "sequence > 0")).toBe(1200);
  expect(
    await count(
      endpoint,
      `sequence > 0 AND redelivery_of NOT IN (
    SELECT delivery_id FROM deliveries WHERE status = 'failed' AND sequence = 0)`,
    ),
  ).toBe(0);
  expect(system.receivedBy(endpoint)).toHaveLength(1200);
});

test("an event whose newest delivery has another status, or is pending, is left out", async () => {
  const endpoint = system.addEndpoint();
  const from = await insertEnded(endpoint, 4);
  const first = await redeliver(endpoint, { from });
  expect(first.deliveries).toBe(4);
  await waitFor(async () => (await count(endpoint, "status = 'delivered'")) === 4, { describe: "four redeliveries" });
  expect(await redeliver(endpoint, { from })).toMatchObject({ deliveries: 0 });
  system.receiver.answer(500);
  system.clock.advance(1000);
  expect(await redeliver(endpoint, { status: "delivered", from })).toMatchObject({ deliveries: 4 });
  await waitFor(async () => (await count(endpoint, "status = 'pending'")) === 4, { describe: "four pending ones" });
  await untilFinished(endpoint);
  system.clock.advance(1000);
  for (const status of ["failed", "delivered"]) {
    expect(await redeliver(endpoint, { status, from })).toMatchObject({ deliveries: 0 });
  }
  expect(await count(endpoint)).toBe(12);
});

test("a range of a hundred thousand deliveries is counted, waits, and delays no other webhook; a larger one is refused", async () => {
  // Beside other tests even reading takes its time.
  const patient = { timeoutMs: 60_000 };
  const [large, other] = [system.addEndpoint(), system.addEndpoint()];
  system.receiver.answer(({ path }) => (large.url.endsWith(path) ? "hang" : 200));
  const from = system.clock.now();
  await system.sql(
    `INSERT INTO deliveries (workspace_id, subscription_id, delivery_id, event_id, event_type, body, status, created_at)
     SELECT $1, $2, $3 || lpad(n::text, 8, '0'), 'event-' || n, 'response.completed', '{}', 'failed', $4
     FROM generate_series(1, 100001) AS n`,
    [large.workspaceId, large.subscriptionId, newId(from).slice(0, 8), from],
  );
  system.clock.advance(1000);
  expect(await refusal(redeliver(large, { from }, patient))).toMatchObject({
    code: "validation_failed",
    details: { to: [expect.any(String)] },
  });
  await system.sql("DELETE FROM deliveries WHERE event_id = 'event-1' AND subscription_id = $1", [
    large.subscriptionId,
  ]);
  expect(await redeliver(large, { from }, patient)).toMatchObject({ deliveries: 100_000 });
  await waitFor(async () => (await count(large, "status = 'pending'")) === 1000, { describe: "a full queue" });
  await system.publishCompletion(other);
  await system.waitForDeliveries(other, "delivered", 1);
  expect(await count(large, "status = 'pending'")).toBe(1000);
  // Deleted: what was not queued is dropped.
  await system.remove(large);
  system.clock.advance(60_000);
  await untilFinished(large);
  expect(await count(large, "sequence > 0")).toBe(1000);
});

test("while the webhook is paused a range waits; 3.7 days later it is dropped", async () => {
  const endpoint = system.addEndpoint({ status: "paused" });
  const from = await insertEnded(endpoint, 3);
  const rests = async () => {
    const range = "SELECT due_at > $2 AS rests FROM range_redeliveries WHERE subscription_id = $1 AND lease_id IS NULL";
    const [row] = await system.sql<{ rests: boolean }>(range, [endpoint.subscriptionId, system.clock.now()]);
    return row?.rests;
  };
  // With this event the service stores the webhook as paused. The change to active is not pushed: the request asks its owner
  // and finds it active, the batches read the stored one.
  await system.publishCompletion(endpoint);
  endpoint.status = "active";
  await redeliver(endpoint, { from });
  await waitFor(() => rests(), { describe: "the range at rest" });
  expect(await count(endpoint, "sequence > 0")).toBe(0);
  system.clock.advance(4 * 86_400_000);
  await untilFinished(endpoint);
  expect(await count(endpoint, "sequence > 0")).toBe(0);
});

test("a range rests while its webhook is not known, so that it holds up no other", async () => {
  const endpoint = system.addEndpoint();
  await insertEnded(endpoint, 3);
  system.webhooks.away = true;
  await system.sql(
    `INSERT INTO range_redeliveries
       (workspace_id, redelivery_id, subscription_id, status, from_at, until_at, after_id, requested_at, due_at)
     VALUES ($1, $2, $2, 'failed', $3::timestamptz, $4::timestamptz, '', $4, $4)`,
    [endpoint.workspaceId, endpoint.subscriptionId, new Date(0), system.clock.now()],
  );
  const resting = `SELECT due_at > $2 AS rests FROM range_redeliveries
    WHERE subscription_id = $1 AND lease_id IS NULL AND attempts > 0`;
  const rests = async () => (await system.sql(resting, [endpoint.subscriptionId, system.clock.now()]))[0]?.["rests"];
  await waitFor(() => rests(), { describe: "the range at rest" });
  expect(await count(endpoint, "sequence > 0")).toBe(0);
  system.webhooks.away = false;
  await untilFinished(endpoint);
  expect(await count(endpoint, "sequence > 0")).toBe(3);
});

test("of two requests at once for the last range that a workspace may have, one is refused", async () => {
  const endpoint = system.addEndpoint();
  const from = await insertEnded(endpoint, 1);
  await system.sql(
    `INSERT INTO range_redeliveries
       (workspace_id, redelivery_id, subscription_id, status, from_at, until_at, after_id, requested_at, due_at)
     SELECT $1, 'open' || n, $2, 'failed', $3::timestamptz, $3, '', $3, $3::timestamptz + interval '1 year'
     FROM generate_series(1, 19) AS n`,
    [endpoint.workspaceId, endpoint.subscriptionId, system.clock.now()],
  );
  const hold = async (table: string) => {
    const client = await system.pool.connect();
    await client.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
    return { end: () => client.query("COMMIT").finally(() => client.release()) };
  };
  // The range that is taken must not come to its end before the other is judged.
  const queues = await hold("due_deliveries");
  const ranges = await hold("range_redeliveries");
  const outcomes = Promise.allSettled([redeliver(endpoint, { from }), redeliver(endpoint, { from })]);
  const waiting = `SELECT FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query ~ '(INSERT INTO range_redeliveries|hashtextextended\\(.ranges )'`;
  await waitFor(async () => (await system.sql(waiting)).length === 2, { describe: "both requests" });
  await ranges.end();
  const refused = (await outcomes).flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  await queues.end();
  expect(refused).toEqual([expect.objectContaining({ code: "rate_limited", details: { open_ranges: 20 } })]);
});

test("with an idempotency key a range is queued once, and audited", async () => {
  const endpoint = system.addEndpoint();
  const { workspaceId, subscriptionId } = endpoint;
  const from = await insertEnded(endpoint, 2);
  const body = { from };
  const keyed = () =>
    redeliver(
      endpoint,
      body,
      callOptions({ signedCaller: signedPerson({ workspaceId }), idempotency: idempotency("once", body) }),
    );
  const first = await keyed();
  await waitFor(async () => (await count(endpoint, "status = 'delivered'")) === 2, { describe: "both" });
  expect(await keyed()).toEqual(first);
  expect(await count(endpoint)).toBe(4);
  expect(await system.sql("SELECT type FROM outbox_events WHERE workspace_id = $1", [workspaceId])).toEqual([
    { type: "audit.recorded" },
  ]);
  expect(
    await system.sql("SELECT 1 FROM range_redeliveries WHERE subscription_id = $1", [subscriptionId]),
  ).toHaveLength(1);
});

test.each<[object | null, string[]]>([
  [{}, ["from"]],
  [{ from: "yesterday", to: 5, status: "cancelled", surprise: 1 }, ["from", "status", "surprise", "to"]],
  [{ from: "2026-02-30T00:00:00Z" }, ["from"]],
  [{ from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" }, ["to"]],
  [{ from: "2100-01-01T00:00:00Z" }, ["from"]],
])("what is wrong with a range is named: %j", async (body, faulty) => {
  const wrong = await refusal(redeliver({ workspaceId: "w", subscriptionId: "absent", url: "", secrets: [] }, body!));
  expect(wrong.code).toBe("validation_failed");
  expect(Object.keys(wrong.details).sort()).toEqual(faulty);
});

test("a range of a webhook that is not active, of a feed, or without webhooks in the plan is refused", async () => {
  const endpoint = system.addEndpoint();
  const from = await insertEnded(endpoint, 1);
  const free = callOptions({ signedCaller: signedPerson({ workspaceId: endpoint.workspaceId, plan: "free" }) });
  expect(await refusal(redeliver(endpoint, { from }, free))).toMatchObject({ code: "feature_locked" });
  endpoint.status = "paused";
  expect(await refusal(redeliver(endpoint, { from }))).toMatchObject({ code: "subscription_not_active" });
  const feed = system.addEndpoint({ mode: "pull" });
  expect(await refusal(redeliver(feed, { from }))).toMatchObject({ code: "subscription_is_pull" });
  expect(await count(endpoint)).toBe(1);
});
