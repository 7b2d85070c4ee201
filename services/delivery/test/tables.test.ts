import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { openDeliveryTables } from "./delivery-tables.ts";

const tables = await sharedByFile(openDeliveryTables());

test("the migrations leave the tables that the service uses, and no other", async () => {
  const { rows } = await tables.pool.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1",
  );
  expect(rows.map(({ name }) => name)).toEqual([
    "attempts",
    "consumed_events",
    "deliveries",
    "disable_requests",
    "due_deliveries",
    "endpoint_health",
    "endpoint_queues",
    "idempotency_records",
    "known_workspaces",
    "listening_intervals",
    "outbox_events",
    "plan_changes",
    "poison_events",
    "range_redeliveries",
    "webhooks",
  ]);
});
