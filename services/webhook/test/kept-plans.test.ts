import { openPool, sqlFromPg, type Sql } from "@canvass/postgres";
import { completion, looseLookUps, recordHotStatements } from "@canvass/service/testing";
import { createTestDatabase } from "@canvass/testing";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findListened, findListeningWebhooks } from "../src/storage/listening-intervals.ts";
import { newWorkspace, startWebhookSystem } from "./webhook-system.ts";

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));

test.each([
  ["which webhooks listened", (sql: Sql) => findListeningWebhooks(sql, [])],
  ["whether anybody listened", (sql: Sql) => findListened(sql, [])],
])("%s is read without what ended before, also by a plan made while the tables were empty", async (_what, find) => {
  await using database = await createTestDatabase(migrations);
  await using opened = openPool({ url: database.url, poolSize: 1, applicationName: "test", plans: "kept" });
  const sql = sqlFromPg(opened.pool);
  const plans: unknown[] = [];
  await find({
    async query<Row>(text: string, params?: readonly unknown[]): Promise<Row[]> {
      plans.push(await sql.query(`EXPLAIN (FORMAT JSON) ${text}`, params));
      return [];
    },
  });
  expect(plans).toHaveLength(1);
  expect(JSON.stringify(plans)).toMatch(
    /"Index Cond":"\(\(workspace_id = happened.workspace_id\) AND \(COALESCE\(ended_at, 'infinity'[^)]*\) > happened.at\)\)"/,
  );
});

test("hot statements find rows by whole keys soon after empty tables were filled, except where a part of the key selects few", async () => {
  using hot = recordHotStatements();
  await using system = await startWebhookSystem();
  const workspaceId = newWorkspace();
  const { subscription } = await system.createHook(workspaceId, "https://example.com/hook");
  const endpoint = { workspaceId, subscriptionId: subscription!.subscriptionId };
  await system.listening(workspaceId, system.clock.now());
  await system.endpoint(workspaceId, endpoint.subscriptionId);
  await system.handOver([completion(workspaceId, system.clock.now())]);
  await system.subscriptions.batchReportEndpointHealth({ reports: [endpoint] });
  expect(hot.texts.size).toBe(6);
  expect(await looseLookUps(migrations, hot.texts)).toEqual([
    // The end of an interval completes it, as the tests above show.
    "listening_intervals by listening_intervals_ends (workspace_id)",
    // Reads backwards from the time of the event, and only one.
    "plan_changes by plan_changes_pkey (workspace_id)",
    "subscription_secrets by subscription_secrets_pkey (workspace_id, subscription_id)",
  ]);
});
