import { inTransaction, newId, sqlFromPg } from "@canvass/postgres";
import { createTestDatabase, type TestDatabase } from "@canvass/testing";
import { fileURLToPath } from "node:url";
import { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  claimDeliveries,
  nextDueTime,
  type ClaimedDelivery,
  type ClaimOptions,
} from "../src/storage/claim-deliveries.ts";
import { createDeliveries } from "../src/storage/create-deliveries.ts";
import { recordAttempts } from "../src/storage/record-attempts.ts";
import { releaseDeliveries } from "../src/storage/release-deliveries.ts";

let database: TestDatabase;
let pool: Pool;
const now = new Date("2026-03-01T12:00:00Z");
const later = (ms: number) => new Date(now.getTime() + ms);

beforeAll(async () => {
  database = await createTestDatabase(fileURLToPath(new URL("../prisma/migrations", import.meta.url)));
  pool = new Pool({ connectionString: database.url });
});
afterAll(async () => {
  await pool.end();
  await database[Symbol.asyncDispose]();
});
beforeEach(() => pool.query("TRUNCATE attempts, deliveries, due_deliveries, endpoint_queues, disable_requests"));

const queue = (workspaceId: string, subscriptionId: string, count: number, at = now) =>
  createDeliveries(
    sqlFromPg(pool),
    Array.from({ length: count }, () => {
      const deliveryId = newId(at);
      return {
        workspaceId,
        subscriptionId,
        deliveryId,
        eventId: deliveryId,
        eventType: "response.completed",
        body: "{}",
      };
    }),
    at,
  );

const claim = (options: Partial<ClaimOptions> = {}) =>
  claimDeliveries(pool, {
    leaseId: newId(now),
    now,
    leaseUntil: later(20_000),
    busy: [],
    roomOf: () => 10,
    maxEndpoints: 50,
    ...options,
  });
const served = (claimed: { workspaceId: string }[]) => [...new Set(claimed.map(({ workspaceId }) => workspaceId))];

test("workspaces take turns, however many endpoints and deliveries one of them has", async () => {
  for (let i = 0; i < 20; i++) await queue("big", `s${i}`, 100, later(-60_000));
  await queue("small", "s", 1);
  await queue("other", "s", 1);
  const first = await claim({ maxEndpoints: 3 });
  expect(new Set(served(first))).toEqual(new Set(["big", "small", "other"]));
  expect(first).toHaveLength(12);
  // An endpoint that was served waits until the others of its workspace were.
  const seen = new Set(first.filter(({ workspaceId }) => workspaceId === "big").map((one) => one.subscriptionId));
  for (let i = 1; i < 20; i++) {
    const claimed = await claim({ maxEndpoints: 1, now: later(i) });
    expect(claimed).toHaveLength(10);
    seen.add(claimed[0]!.subscriptionId);
  }
  expect(seen.size).toBe(20);
});

test("a delivery is claimed once until its lease ends, then by whoever comes, with a note", async () => {
  await queue("w", "s", 3);
  const [a, b] = await Promise.all([claim(), claim()]);
  expect([...a, ...b]).toHaveLength(3);
  expect(await claim({ now: later(19_999) })).toEqual([]);
  expect(await nextDueTime(sqlFromPg(pool))).toEqual(later(20_000));
  const again = await claim({ now: later(20_000), leaseUntil: later(40_000) });
  expect(again).toHaveLength(3);
  for (const { interruptedAt } of again) expect(interruptedAt).toEqual(now);
  // Nobody records it either: the first attempt's beginning stays known.
  const third = await claim({ now: later(40_000), leaseUntil: later(60_000) });
  expect(third.map(({ interruptedAt }) => interruptedAt)).toEqual([now, now, now]);
});

test("what is left of a queue is due at once; an empty one rests", async () => {
  await queue("w", "s", 15);
  expect(await claim()).toHaveLength(10);
  expect(await nextDueTime(sqlFromPg(pool))).toEqual(now);
  expect(await claim({ busy: [{ workspaceId: "w", subscriptionId: "s" }] })).toEqual([]);
  expect(await claim()).toHaveLength(5);
  await pool.query("TRUNCATE due_deliveries");
  expect(await claim({ now: later(20_000) })).toEqual([]);
  expect(await nextDueTime(sqlFromPg(pool))).toBeUndefined();
});

test("deliveries given back are due again when said, and no attempt is counted", async () => {
  await queue("w", "s", 2);
  const claimed = await claim();
  await releaseDeliveries(sqlFromPg(pool), claimed, later(5000));
  expect(await claim({ now: later(4999) })).toEqual([]);
  const again = await claim({ now: later(5000), leaseUntil: later(25_000) });
  expect(again.map(({ attempts, interruptedAt }) => [attempts, interruptedAt])).toEqual([
    [0, undefined],
    [0, undefined],
  ]);
  // A lease that was given up gives nothing back.
  await releaseDeliveries(sqlFromPg(pool), claimed, later(5000));
  expect(await claim({ now: later(6000) })).toEqual([]);
});

test("a result that comes with a lease of the past is left out, without harm to the rest of its batch", async () => {
  await queue("w", "s", 2);
  const stale = await claim();
  const [first, second] = await claim({ now: later(20_000), leaseUntil: later(40_000) });
  const result = (delivery: ClaimedDelivery) => ({
    delivery,
    number: 1,
    attemptedAt: now,
    durationMs: 5,
    outcome: "success" as const,
    statusCode: 200,
    responseBody: "",
    next: { status: "delivered" as const, dueAt: undefined, disable: undefined },
  });
  const former = stale.find(({ deliveryId }) => deliveryId === first!.deliveryId)!;
  await recordAttempts(sqlFromPg(pool), [result(former), result(second!)], later(20_001));
  const { rows } = await pool.query("SELECT delivery_id, status FROM deliveries ORDER BY delivery_id");
  expect(rows).toEqual([
    { delivery_id: first!.deliveryId, status: "pending" },
    { delivery_id: second!.deliveryId, status: "delivered" },
  ]);
  expect((await pool.query("SELECT delivery_id FROM attempts")).rows).toEqual([{ delivery_id: second!.deliveryId }]);
  expect((await pool.query("SELECT lease_id FROM due_deliveries")).rows).toEqual([{ lease_id: first!.leaseId }]);
});

test("an endpoint that is to be disabled is left alone", async () => {
  await queue("w", "s", 2);
  await pool.query("INSERT INTO disable_requests VALUES ('w', 's', 'gone', now())");
  expect(await claim()).toEqual([]);
});

test("what is queued while a worker looks is never forgotten", async () => {
  for (let round = 0; round < 30; round++) {
    const at = later(round);
    await queue("w", "s", 1, at);
    // Claiming and queueing at once, in both orders of their commits.
    await Promise.all([
      claim({ now: at, leaseUntil: later(3_600_000) }),
      queue("w", "s", 1, at),
      queue("w", "s", 1, at),
    ]);
    const { rows } = await pool.query(
      `SELECT (SELECT next_due_at FROM endpoint_queues) <= (SELECT min(due_at) FROM due_deliveries) AS kept`,
    );
    expect(rows).toEqual([{ kept: true }]);
  }
  await inTransaction(pool, async (sql) => {
    expect(await sql.query("SELECT 1 FROM due_deliveries")).toHaveLength(90);
  });
});
