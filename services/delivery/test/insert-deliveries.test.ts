import { newId } from "@canvass/values";
import { inTransaction, sqlFromPg } from "@canvass/postgres";
import { waitFor } from "@canvass/testing";
import { Pool } from "pg";
import { expect, test } from "vitest";
import { insertDeliveries, untilDurable } from "../src/storage/insert-deliveries.ts";
import { later, now, openDeliveryTables } from "./delivery-tables.ts";

const deliveryOf = (workspaceId: string) => ({
  workspaceId,
  subscriptionId: "s",
  deliveryId: newId(now),
  eventId: newId(now),
  eventType: "response.completed",
  body: "{}",
  traceparent: "",
});

test("leased deliveries are committed before they are on the disk, and untilDurable waits for that", async () => {
  await using tables = await openDeliveryTables();
  const { connectionString } = tables.pool.options;
  await tables.addWebhook("a", "s");
  // Production has synchronous_commit on; the test server has it off.
  const pool = new Pool({ connectionString, max: 1, options: "-c synchronous_commit=on" });
  try {
    const sql = sqlFromPg(pool);
    const place = async () =>
      (await sql.query<{ at: string }>("SELECT pg_current_wal_insert_lsn()::text AS at"))[0]!.at;
    const isOnDisk = async (at: string) => {
      const rows = await sql.query<{ is: boolean }>("SELECT pg_current_wal_flush_lsn() >= $1::pg_lsn AS is", [at]);
      return rows[0]!.is;
    };
    const atOnce: boolean[] = [];
    for (let round = 0; round < 20; round += 1) {
      const lease = { leaseId: newId(now), leaseUntil: later(20_000) };
      await insertDeliveries(sql, [deliveryOf("a")], now, { ...lease, revisions: [1] });
      const written = await place();
      // PostgreSQL may flush the log by itself before this look, so only some rounds find it unflushed.
      atOnce.push(await isOnDisk(written));
      await untilDurable(sql);
      expect(await isOnDisk(written)).toBe(true);
    }
    expect(atOnce).toContain(false);
    expect(await sql.query("SHOW synchronous_commit")).toEqual([{ synchronous_commit: "on" }]);
  } finally {
    await pool.end();
  }
});

test("what another replica queues at the same moment is waited for and skipped; the rest is queued", async () => {
  await using tables = await openDeliveryTables();
  const { pool } = tables;
  await tables.addWebhook("a", "s");
  const sql = sqlFromPg(pool);
  const [both, own] = [deliveryOf("a"), deliveryOf("a")];
  const lease = { leaseId: newId(now), leaseUntil: later(20_000), revisions: [1, 1] };
  const late = await inTransaction(pool, async (theirs) => {
    await insertDeliveries(theirs, [both], now);
    const ours = insertDeliveries(sql, [{ ...both, deliveryId: newId(now) }, own], now, lease);
    const waits = async () =>
      (
        await pool.query(
          "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'transactionid' AND datname = current_database()",
        )
      ).rowCount === 1;
    await waitFor(waits, { describe: "the second replica to meet the first" });
    return { ours };
  });
  expect(await late.ours).toEqual(new Map([[own.deliveryId, expect.any(String)]]));
  const stored = await sql.query(
    "SELECT delivery_id AS id, lease_id AS lease FROM due_deliveries ORDER BY lease_id NULLS FIRST",
  );
  expect(stored).toEqual([
    { id: both.deliveryId, lease: null },
    { id: own.deliveryId, lease: lease.leaseId },
  ]);
  expect(await insertDeliveries(sql, [both, own], now, lease)).toEqual(new Map());
});

test.each([
  ["the webhook has another revision", "webhooks SET revision = 2"],
  ["the webhook is paused", "webhooks SET status = 'paused'"],
  ["the webhook is deleted", "webhooks SET status = 'deleted'"],
  ["the workspace's webhooks must be fetched again", "known_workspaces SET is_known = false"],
])("a delivery is queued, not begun, when after its match %s", async (_, change) => {
  await using tables = await openDeliveryTables();
  await tables.addWebhook("a", "s");
  await tables.pool.query(`UPDATE ${change}`);
  const lease = { leaseId: newId(now), leaseUntil: later(20_000), revisions: [1] };
  expect(await insertDeliveries(sqlFromPg(tables.pool), [deliveryOf("a")], now, lease)).toEqual(new Map());
  const { rows } = await tables.pool.query("SELECT lease_id, begun_at, due_at FROM due_deliveries");
  expect(rows).toEqual([{ lease_id: null, begun_at: null, due_at: now }]);
});

test("a delivery is not begun when the plan lost webhooks after its match", async () => {
  await using tables = await openDeliveryTables();
  await tables.addWebhook("a", "s");
  await tables.pool.query("INSERT INTO plan_changes VALUES ('a', $1, false)", [now]);
  const lease = { leaseId: newId(now), leaseUntil: later(20_000), revisions: [1] };
  expect(await insertDeliveries(sqlFromPg(tables.pool), [deliveryOf("a")], now, lease)).toEqual(new Map());
});
