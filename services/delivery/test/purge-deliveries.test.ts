import { sqlFromPg, type Sql } from "@canvass/postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createDeliveriesPurge } from "../src/storage/purge-deliveries.ts";
import { later, now, openDeliveryTables, type DeliveryTables } from "./delivery-tables.ts";

const HOUR = 3_600_000;
const LIMIT = 100;

let tables: DeliveryTables;
beforeAll(async () => void (tables = await openDeliveryTables()));
beforeEach(() => tables.clear());
afterAll(() => tables[Symbol.asyncDispose]());

/** Returns a purge that tells how many deliveries it deleted, and how many it read. */
function purging() {
  const purge = createDeliveriesPurge();
  return async (before: Date) => {
    let read = 0;
    const sql = sqlFromPg(tables.pool);
    const query: Sql["query"] = async (...given) => {
      const rows = await sql.query(...given);
      for (const row of rows as { read: number }[]) read += row.read;
      return rows as never;
    };
    return { deleted: await purge({ ...sql, query }, before, LIMIT), read };
  };
}

const end = (subscriptionId: string, count: number) =>
  tables.pool.query(
    `DELETE FROM due_deliveries WHERE delivery_id IN (
       SELECT delivery_id FROM due_deliveries WHERE subscription_id = $1 ORDER BY delivery_id LIMIT $2)`,
    [subscriptionId, count],
  );

test("a delivery pending for longer than the retention is read once an hour, and deleted within an hour of its end", async () => {
  for (const ms of [0, 1, 2]) await tables.queue("w", "paused", LIMIT, later(ms));
  await tables.queue("v", "other", 50, later(3));
  await end("other", 50);
  const purge = purging();
  expect(await purge(later(10))).toEqual({ deleted: 50, read: 350 });
  await end("paused", 2);
  await tables.queue("v", "other", 1, later(20));
  await end("other", 1);
  expect(await purge(later(HOUR))).toEqual({ deleted: 1, read: 1 });
  expect(await purge(later(HOUR))).toEqual({ deleted: 0, read: 0 });
  expect(await purge(later(HOUR + 10))).toEqual({ deleted: 2, read: 300 });
});

test("deliveries of one moment are deleted together, even if they exceed the limit", async () => {
  await tables.queue("w", "paused", 10, now);
  await tables.queue("w", "other", 2 * LIMIT, now);
  await end("other", 2 * LIMIT);
  const purge = purging();
  expect(await purge(later(1))).toEqual({ deleted: 2 * LIMIT, read: 2 * LIMIT + 10 });
  expect(await purge(later(1))).toEqual({ deleted: 0, read: 0 });
});

test("after the clock was set back, a purge starts from the oldest again", async () => {
  const purge = purging();
  await tables.queue("w", "other", 1, later(2 * HOUR));
  await end("other", 1);
  expect(await purge(later(3 * HOUR))).toMatchObject({ deleted: 1 });
  await tables.queue("w", "other", 1, now);
  await end("other", 1);
  expect(await purge(later(HOUR))).toMatchObject({ deleted: 1 });
});
