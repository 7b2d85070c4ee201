import { openPool, sqlFromPg, type Sql } from "@canvass/postgres";
import { createTestDatabase } from "@canvass/testing";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findListened, findListeningWebhooks } from "../src/storage/listening-intervals.ts";

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
