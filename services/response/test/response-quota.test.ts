import { inTransaction } from "@canvass/postgres";
import { settingsWithDefaults } from "@canvass/questions";
import { createTestDatabase, waitFor } from "@canvass/testing";
import { join } from "node:path";
import { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Link } from "../src/domain/links/link.ts";
import { lockResponseQuota } from "../src/storage/response-quota.ts";

const running = new AsyncDisposableStack();
let pool: Pool;
beforeAll(async () => {
  const { url } = running.use(await createTestDatabase(join(import.meta.dirname, "../prisma/migrations")));
  pool = running.adopt(new Pool({ connectionString: url }), (open) => open.end());
});
afterAll(() => running.disposeAsync());
beforeEach(() => pool.query("TRUNCATE survey_counters, distributor_counters"));

const completing = { workspaceId: "workspace", surveyId: "survey", distributorId: "distributor" };
const settings = settingsWithDefaults({ collection: { responseLimit: 1 } });
const link: Link = {
  ...completing,
  revision: "1",
  found: true,
  code: "code",
  isHeld: false,
  type: "link",
  status: "active",
  opensAt: null,
  closesAt: null,
  responseLimit: 1,
  hasPassword: false,
  timeZone: "UTC",
};

/** Whether a transaction waits for another one's advisory lock. */
async function someoneWaits(): Promise<boolean> {
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'";
  return (await pool.query(waiting)).rows.length > 0;
}

test.each([
  {
    limited: "survey",
    surveys: [{ ...completing, collectingState: { settings } }],
    links: [],
    complete:
      "INSERT INTO survey_counters (workspace_id, survey_id, shard, completed) VALUES ('workspace', 'survey', 0, 1)",
  },
  {
    limited: "link",
    surveys: [],
    links: [link],
    complete: `INSERT INTO distributor_counters (workspace_id, survey_id, distributor_id, shard, completed)
      VALUES ('workspace', 'survey', 'distributor', 0, 1)`,
  },
])(
  "a completion under the limit of a $limited waits for a concurrent one, and finds its last place taken",
  async ({ surveys, links, complete }) => {
    const locked = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const first = inTransaction(pool, async (sql) => {
      const quota = await lockResponseQuota(sql, surveys, links);
      quota.requireLeft(completing);
      locked.resolve();
      await mayCommit.promise;
      await sql.query(complete);
    });
    await locked.promise;
    let isLocked = false;
    const second = inTransaction(pool, (sql) => lockResponseQuota(sql, surveys, links)).finally(
      () => (isLocked = true),
    );
    await waitFor(async () => isLocked || (await someoneWaits()), { describe: "the second to count what is left" });
    mayCommit.resolve();
    await first;
    const quota = await second;
    expect(() => quota.requireLeft(completing)).toThrow(expect.objectContaining({ code: "survey_not_collecting" }));
  },
);
