import { inTransaction, sqlFromPg, type Sql } from "@canvass/postgres";
import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ClaimedDelivery } from "../src/storage/claimed-delivery.ts";
import { holdEndpoints, wakeEndpoint } from "../src/storage/endpoints.ts";
import { findNextDueTime, pickEndpoints } from "../src/storage/pick-endpoints.ts";
import { recordAttempts } from "../src/storage/record-attempts.ts";
import { releaseDeliveries } from "../src/storage/release-deliveries.ts";
import {
  endedAttempt,
  later,
  now,
  openDeliveryTables,
  openHotPool,
  pickTerms,
  type DeliveryTables,
} from "./delivery-tables.ts";

let tables: DeliveryTables;
let pool: Pool;

beforeAll(async () => {
  tables = await openDeliveryTables();
  pool = tables.pool;
});
afterAll(() => tables[Symbol.asyncDispose]());
beforeEach(() => tables.clear());

const queue: DeliveryTables["queue"] = (...args) => tables.queue(...args);
const begin: DeliveryTables["begin"] = (options) => tables.begin(options);
const beginAll = (id: string) =>
  pool.query("UPDATE due_deliveries SET lease_id = 'l', begun_at = $2, due_at = $3 WHERE subscription_id = $1", [
    id,
    now,
    later(20_000),
  ]);
const served = (begun: { workspaceId: string }[]) => [...new Set(begun.map(({ workspaceId }) => workspaceId))];

test("workspaces are picked round robin, however many endpoints and deliveries one of them has", async () => {
  for (let i = 0; i < 20; i++) await queue("big", `s${i}`, 100, later(-60_000));
  await queue("small", "s", 1);
  await queue("other", "s", 1);
  const first = await begin({ maxEndpoints: 3 });
  expect(new Set(served(first))).toEqual(new Set(["big", "small", "other"]));
  expect(first).toHaveLength(12);
  // A served endpoint waits until the others of its workspace were served.
  const seen = new Set(first.filter(({ workspaceId }) => workspaceId === "big").map((one) => one.subscriptionId));
  for (let i = 1; i < 20; i++) {
    const claimed = await begin({ maxEndpoints: 1, now: later(i) });
    expect(claimed).toHaveLength(10);
    seen.add(claimed[0]!.subscriptionId);
  }
  expect(seen.size).toBe(20);
});

test("a delivery is begun once until its lease ends, then by any worker", async () => {
  await queue("w", "s", 3);
  const [a, b] = await Promise.all([begin(), begin()]);
  expect([...a, ...b]).toHaveLength(3);
  expect(await begin({ now: later(19_999) })).toEqual([]);
  expect(await findNextDueTime(sqlFromPg(pool))).toEqual(later(20_000));
  expect(await begin({ now: later(20_000), leaseUntil: later(40_000) })).toHaveLength(3);
});

test("a lease that was moved, as by a repaired clock, is found although another row stands in its place", async () => {
  await queue("w", "s", 2);
  const [moved, other] = await begin();
  const swapped = { ...moved!, duePlace: other!.duePlace, storedPlace: other!.storedPlace };
  const next = { status: "failed", dueAt: undefined, disable: undefined } as const;
  await recordAttempts(sqlFromPg(pool), [{ ...endedAttempt(swapped, "http_error"), next }], now);
  const rows = async (table: string) => (await pool.query(`SELECT delivery_id AS id, * FROM ${table}`)).rows;
  expect(await rows("due_deliveries")).toMatchObject([{ id: other!.deliveryId }]);
  expect(await rows("attempts")).toMatchObject([{ id: moved!.deliveryId }]);
  expect(await rows("deliveries WHERE status = 'failed'")).toMatchObject([{ id: moved!.deliveryId }]);
});

test("what is left of a queue is due at once; an empty queue has no due time", async () => {
  await queue("w", "s", 15);
  expect(await begin()).toHaveLength(10);
  expect(await findNextDueTime(sqlFromPg(pool))).toEqual(now);
  expect(await begin({ busy: [{ workspaceId: "w", subscriptionId: "s" }] })).toEqual([]);
  expect(await begin()).toHaveLength(5);
  await pool.query("TRUNCATE due_deliveries");
  expect(await begin({ now: later(20_000) })).toEqual([]);
  expect(await findNextDueTime(sqlFromPg(pool))).toBeUndefined();
});

test("released deliveries are due again at the given time, and no attempt is counted", async () => {
  await queue("w", "s", 2);
  const claimed = await begin();
  await releaseDeliveries(sqlFromPg(pool), claimed, later(5000));
  expect(await begin({ now: later(4999) })).toEqual([]);
  const again = await begin({ now: later(5000), leaseUntil: later(25_000) });
  expect(again.map(({ attempts, interruptedAt }) => [attempts, interruptedAt])).toEqual([
    [0, undefined],
    [0, undefined],
  ]);
  // An expired lease returns nothing.
  await releaseDeliveries(sqlFromPg(pool), claimed, later(5000));
  expect(await begin({ now: later(6000) })).toEqual([]);
});

test("a pick reads its own rows of a large queue, and no table whole", async () => {
  await queue("w", "s", 3000);
  await pool.query("ANALYZE");
  await using opened = openHotPool(pool, 1);
  const only = opened.pool;
  const readWhole = async () => {
    // Otherwise this connection reports its counts a second later.
    await only.query("SELECT pg_stat_force_next_flush()");
    const { rows } = await only.query(
      `SELECT sum(seq_tup_read)::int4 AS rows FROM pg_stat_user_tables WHERE relname IN ('deliveries', 'due_deliveries')`,
    );
    return rows[0].rows;
  };
  const before = await readWhole();
  expect((await pickEndpoints(only, pickTerms)).due).toEqual([
    { workspaceId: "w", subscriptionId: "s", due: Number.POSITIVE_INFINITY },
  ]);
  expect(await readWhole()).toBe(before);
});

test("a queue's next time is the first end of its leases and start of its later attempts", async () => {
  await queue("w", "s", 30);
  const sql = sqlFromPg(pool);
  const [failed, ...leased] = await begin();
  await recordAttempts(sql, [endedAttempt(failed!, "http_error")], now);
  expect(await begin({ now: later(5), leaseUntil: later(90_000), count: 20 })).toHaveLength(20);
  expect(await begin({ now: later(6) })).toEqual([]);
  expect(await findNextDueTime(sql)).toEqual(later(20_000));
  await recordAttempts(
    sql,
    leased.map((delivery) => endedAttempt(delivery, "success")),
    later(10),
  );
  expect(await begin({ now: later(20_000), leaseUntil: later(40_000) })).toEqual([]);
  expect(await findNextDueTime(sql)).toEqual(later(60_000));
  expect(await begin({ now: later(60_000), leaseUntil: later(80_000) })).toMatchObject([{ attempts: 1 }]);
});

test("a pick returns the number of due deliveries while it is small", async () => {
  await queue("w", "few", 3);
  await queue("w", "leased", 2);
  await beginAll("leased");
  const { due, looked } = await pickEndpoints(pool, pickTerms);
  expect([due, looked]).toEqual([[{ workspaceId: "w", subscriptionId: "few", due: 3 }], 2]);
});

test("an endpoint that is to be disabled is not picked", async () => {
  await queue("w", "s", 2);
  await pool.query("INSERT INTO disable_requests VALUES ('w', 's', 'gone', now())");
  expect(await begin()).toEqual([]);
});

test("what is queued while a worker picks is never forgotten", async () => {
  for (let round = 0; round < 30; round++) {
    const at = later(round);
    await queue("w", "s", 1, at);
    // Begins and queues at once, with commits in both orders.
    await Promise.all([
      begin({ now: at, leaseUntil: later(3_600_000) }),
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

/** Returns the plan of the one statement that `run` sends, as connections with kept plans make it. */
async function keptPlan(run: (sql: Sql) => Promise<unknown>): Promise<string> {
  const plans = await inTransaction(pool, async (sql) => {
    await sql.query("SET LOCAL plan_cache_mode = force_generic_plan");
    await sql.query(
      "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off",
    );
    const found: string[] = [];
    await run({
      async query<Row>(text: string, params: readonly unknown[] = []): Promise<Row[]> {
        found.push(JSON.stringify(await sql.query(`EXPLAIN (FORMAT JSON) ${text}`, params)));
        return [];
      },
    });
    return found;
  });
  expect(plans).toHaveLength(1);
  return plans[0]!;
}

/** Of deliveries and due rows, in the order of the plan. */
const indexesOf = (plan: string) => [...plan.matchAll(/"Index Name":"(\w*deliveries\w*)"/g)].map(([, name]) => name);

/** A condition that begins and ends at the row's own key: what stands behind it in the index is not read. */
const directly =
  /workspace_id = \w+\.workspace_id\) AND \(subscription_id = \w+\.subscription_id\) AND \(delivery_id >= (\w+\.delivery_id)\) AND \(delivery_id <= \1\)/g;
const many = Array.from({ length: 25 }, () => ({}) as ClaimedDelivery);

test.each([
  ["empty", 0, false],
  ["full", 3000, false],
  ["full, and analysed while they were empty", 3000, true],
])("records and releases look each row up by its primary key, when tables are %s", async (_, rows, analysed) => {
  if (analysed) await pool.query("ANALYZE deliveries, due_deliveries");
  if (rows > 0) await queue("w", "s", rows);
  const record = await keptPlan((sql) =>
    recordAttempts(
      sql,
      many.map((one) => endedAttempt(one, "success")),
      now,
    ),
  );
  const release = await keptPlan((sql) => releaseDeliveries(sql, many, now));
  expect([record, release].map(indexesOf)).toEqual([
    ["due_deliveries_pkey", "deliveries_pkey"],
    ["due_deliveries_pkey"],
  ]);
  expect([record, release].map((plan) => plan.match(directly)?.length)).toEqual([2, 1]);
  const places = (plan: string) => plan.match(/"Node Type":"Tid Scan"/g)?.length;
  expect([record, release].map(places)).toEqual([5, 2]);
});

test("a picked queue is held, but not one that was woken after the pick", async () => {
  await queue("w", "held", 1);
  await queue("w", "woken", 1);
  const { due } = await pickEndpoints(pool, pickTerms);
  const sql = sqlFromPg(pool);
  await wakeEndpoint(sql, { workspaceId: "w", subscriptionId: "woken" });
  await holdEndpoints(sql, due, { pickedAt: now, until: later(15_000) });
  const ids = async (at: Date) => (await begin({ now: at })).map(({ subscriptionId }) => subscriptionId);
  expect(await ids(later(1))).toEqual(["woken"]);
  expect(await ids(later(15_000))).toEqual(["held"]);
});
