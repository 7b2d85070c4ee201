import { newId } from "@canvass/values";
import { openPool, sqlFromPg } from "@canvass/postgres";
import { createTestDatabase } from "@canvass/testing";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { insertDeliveries } from "../src/storage/insert-deliveries.ts";

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));
const now = new Date("2026-03-01T12:00:00Z");

const deliveries = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const deliveryId = newId(now);
    const event = { eventId: newId(now), eventType: "response.completed", body: "{}", traceparent: "" };
    return { workspaceId: "w", subscriptionId: `s${index % 20}`, deliveryId, ...event };
  });

test("queueing reads no history, by a plan from when the tables were empty and never analysed", async () => {
  await using database = await createTestDatabase(migrations);
  await using opened = openPool({
    url: database.url,
    poolSize: 1,
    applicationName: "test",
    plans: "kept",
    plansKeptMs: 3_600_000,
  });
  const sql = sqlFromPg(opened.pool);
  const read = async () => {
    await sql.query("SELECT pg_stat_force_next_flush()");
    const [row] = await sql.query<{ rows: number }>(
      `SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int4 AS rows FROM pg_stat_user_tables WHERE relname = 'deliveries'`,
    );
    return row!.rows;
  };
  await insertDeliveries(sql, deliveries(1), now);
  for (let round = 0; round < 4; round += 1) await insertDeliveries(sql, deliveries(1000), now);
  const before = await read();
  await insertDeliveries(sql, deliveries(1000), now);
  // One each at most: the neighbour in the index.
  expect((await read()) - before).toBeLessThanOrEqual(1000);
});
