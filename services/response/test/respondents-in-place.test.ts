import { inTransaction, sendAll } from "@canvass/postgres";
import { expect, test } from "vitest";
import { lockRespondents, updateStatements } from "../src/storage/respondents/respondent-rows.ts";
import { ratingQuestion, startHarness, workspaceId } from "./harness.ts";

test("a save, also the one that completes, changes the respondent's row in place and no index", async () => {
  await using harness = await startHarness([[ratingQuestion("a")]]);
  const respondentId = await harness.start();
  const at = harness.clock.now();
  const counted = await inTransaction(harness.pool, async (sql) => {
    const { states } = await lockRespondents(sql, [{ workspaceId, respondentId, answerKeys: null }]);
    const saved = { lastSeenAt: at, pageId: "page", answerWeight: 7 };
    await sendAll(sql, await updateStatements(states.map((state) => ({ ...state, ...saved }))));
    await sendAll(sql, await updateStatements(states.map((state) => ({ ...state, ...saved, completedAt: at }))));
    return sql.query(
      `SELECT n_tup_upd::int AS updated, n_tup_hot_upd::int AS in_place FROM pg_stat_xact_user_tables WHERE relname = 'respondents'`,
    );
  });
  expect(counted).toEqual([{ updated: 2, in_place: 2 }]);
});
