import { looseLookUps, recordHotStatements } from "@canvass/service/testing";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { numberQuestion, ratingQuestion, startHarness, testId } from "./harness.ts";

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));

const answer = (name: string, value: unknown) => ({ elementId: testId(name), value });

test("soon after empty tables were filled, hot statements find rows by whole keys, or by parts of keys that few rows share", async () => {
  using hot = recordHotStatements();
  await using harness = await startHarness([[ratingQuestion("a", true)], [numberQuestion("n")]]);
  const respondentId = await harness.start();
  await harness.submit({ respondentId, responses: [answer("n", 4)] });
  const body = { respondentId, responses: [answer("a", 3), answer("n", 5)] };
  await harness.submit(body, { key: "k" });
  expect(await harness.submit(body, { key: "k" })).toMatchObject({ status: "completed", replayOf: "first-k" });
  expect(hot.texts.size).toBeGreaterThanOrEqual(17);
  expect(await looseLookUps(migrations, hot.texts)).toEqual([
    "answer_sets by answer_sets_pkey (workspace_id, respondent_id)",
    "answer_sets by answer_sets_pkey (workspace_id, respondent_id, submitted_at)",
    // In each shard.
    "number_counters by number_counters_pkey (workspace_id, survey_id, question_id, number)",
  ]);
});
