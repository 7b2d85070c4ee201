import { newId } from "@canvass/values";
import { sqlFromPg } from "@canvass/postgres";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { beginDue, type BegunDelivery, type DueEndpoint } from "../src/storage/begin-due.ts";
import { findNextDueTime } from "../src/storage/pick-endpoints.ts";
import { later, now, openDeliveryTables, openHotPool } from "./delivery-tables.ts";

const tables = await sharedByFile(openDeliveryTables());
beforeEach(() => tables.clear());

const endpoint = (subscriptionId: string, count: number, plannedFrom = new Date(0)): DueEndpoint => ({
  workspaceId: "w",
  subscriptionId,
  count,
  plannedFrom,
});

function begin(endpoints: readonly DueEndpoint[], at = now): Promise<BegunDelivery[]> {
  const lease = { leaseId: newId(at), leaseUntil: new Date(at.getTime() + 20_000) };
  return beginDue(sqlFromPg(tables.pool), endpoints, lease, at);
}

const ids = (begun: readonly BegunDelivery[]) => begun.map(({ deliveryId }) => deliveryId);

test("each queue's first planned deliveries are leased and begun, as many as were asked for", async () => {
  for (const subscriptionId of ["a", "b", "c"]) {
    await tables.queue("w", subscriptionId, 3, later(-2000));
    await tables.queue("w", subscriptionId, 3, later(-1000));
  }
  const begun = await begin([endpoint("a", 4), endpoint("b", 10)]);
  const planned = (subscriptionId: string) =>
    begun.filter((one) => one.subscriptionId === subscriptionId).map(({ plannedAt }) => plannedAt - now.getTime());
  expect(planned("a").toSorted((x, y) => x - y)).toEqual([-2000, -2000, -2000, -1000]);
  expect(planned("b")).toHaveLength(6);
  const { rows } = await tables.pool.query(
    "SELECT delivery_id FROM due_deliveries WHERE begun_at = $1 AND due_at = $2 AND lease_id IS NOT NULL",
    [now, later(20_000)],
  );
  expect(new Set(rows.map(({ delivery_id }) => delivery_id))).toEqual(new Set(ids(begun)));
});

test("a delivery is begun once by concurrent callers, and again only when its lease is over", async () => {
  await tables.queue("w", "s", 100);
  const asked = Array.from({ length: 4 }, () => begin([endpoint("s", 20)]));
  const begun = await Promise.all(asked);
  const rest = await begin([endpoint("s", 100)]);
  const all = [...begun, rest].flat().map(({ deliveryId }) => deliveryId);
  expect(new Set(all).size).toBe(all.length);
  expect(all).toHaveLength(100);
  expect(await begin([endpoint("s", 100)], later(19_999))).toEqual([]);
  const again = await begin([endpoint("s", 100)], later(20_000));
  expect(again).toHaveLength(100);
});

test("an interrupted attempt is reported, and keeps its start time until it is recorded", async () => {
  await tables.queue("w", "s", 1);
  expect(await begin([endpoint("s", 1)])).toMatchObject([{ interruptedAt: undefined }]);
  expect(await begin([endpoint("s", 1)], later(20_000))).toMatchObject([{ interruptedAt: now }]);
  expect(await begin([endpoint("s", 1)], later(40_000))).toMatchObject([{ interruptedAt: now }]);
});

test("deliveries planned before the given moment, and all of a webhook to be disabled, are not begun", async () => {
  await tables.queue("w", "s", 2, later(-2000));
  await tables.queue("w", "s", 2, later(-1000));
  await tables.queue("w", "gone", 2);
  await tables.pool.query("INSERT INTO disable_requests VALUES ('w', 'gone', 'gone', now())");
  const begun = await begin([endpoint("s", 10, later(-1000)), endpoint("gone", 10)]);
  expect(begun.map(({ plannedAt }) => plannedAt)).toEqual([later(-1000).getTime(), later(-1000).getTime()]);
  // The next due time is as it was, so the next pick finds the rest.
  expect(await findNextDueTime(sqlFromPg(tables.pool))).toEqual(later(-2000));
  expect(await tables.begin()).toHaveLength(2);
});

test("it scans no table of a large queue, and updates no index", async () => {
  await tables.queue("w", "s", 3000);
  await tables.pool.query("ANALYZE");
  await using opened = openHotPool(tables.pool, 1);
  const counts = async () => {
    await opened.pool.query("SELECT pg_stat_force_next_flush()");
    const { rows } = await opened.pool.query(
      `SELECT sum(seq_tup_read)::int4 AS whole, sum(n_tup_upd)::int4 AS updates, sum(n_tup_hot_upd)::int4 AS hot
       FROM pg_stat_user_tables WHERE relname IN ('deliveries', 'due_deliveries')`,
    );
    return rows[0];
  };
  const before = await counts();
  const lease = { leaseId: newId(now), leaseUntil: later(20_000) };
  for (let round = 0; round < 10; round += 1) {
    expect(await beginDue(sqlFromPg(opened.pool), [endpoint("s", 50)], lease, now)).toHaveLength(50);
  }
  const after = await counts();
  expect(after.whole).toBe(before.whole);
  expect(after.updates - before.updates).toBe(500);
  expect(after.hot - before.hot).toBeGreaterThan(450);
});
