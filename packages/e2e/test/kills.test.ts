import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoSystem } from "../src/index.ts";
import { followCompletions, type Completions } from "./completions.ts";
import { openDatabases, type Databases } from "./databases.ts";
import { startTestSystem } from "./test-system.ts";

let demo: DemoSystem;
let databases: Databases;
let completions: Completions;

beforeAll(async () => {
  demo = await startTestSystem({ durable: true, env: { CANVASS_WEBHOOK_RETRY_SECONDS: "1,1,1,1,1,1,1,1" } });
  databases = openDatabases(demo.system.local.databaseUrl);
  completions = await followCompletions(demo);
});
afterAll(async () => {
  await databases?.[Symbol.asyncDispose]();
  await demo?.[Symbol.asyncDispose]();
});

test("whichever service is killed in a burst, every completion arrives and counts once", async () => {
  await completions.completeDuring(async () => {
    for (const name of ["webhook", "survey", "delivery", "response", "gateway", "token"]) {
      await demo.system.kill(name, "SIGKILL");
      await demo.system.waitReady();
    }
  });
  await completions.expectAllArrived();
  await expectEqualToFreshCount();
  await waitFor(
    async () => {
      const { data } = await demo.api.get(`/surveys/${completions.survey.surveyId}`);
      return data.responseCount === (await countCompleted());
    },
    { describe: "the response count of the survey", timeoutMs: 60_000 },
  );
});

test("a database killed in the middle of submissions keeps everything that was answered, once", async () => {
  const before = await countCompleted();
  const answered = await completions.completeDuring(async () => {
    await waitFor(async () => (await countCompleted()) > before + 50, {
      describe: "submissions to be under way",
      timeoutMs: 60_000,
    });
    await demo.system.kill("postgres", "SIGKILL");
    await demo.system.waitReady();
  });

  const stored = await databases.query<{ respondent_id: string }>(
    "response",
    "SELECT respondent_id FROM respondents WHERE completed_at IS NOT NULL",
  );
  expect(answered.length).toBeGreaterThan(50);
  const ids = new Set(stored.map((row) => row.respondent_id));
  for (const respondentId of answered) expect(ids).toContain(respondentId);
  await expectEqualToFreshCount();
  await completions.expectAllArrived();
}, 300_000);

async function countCompleted(): Promise<number> {
  const [row] = await databases.query<{ count: number }>(
    "response",
    "SELECT count(*)::int AS count FROM respondents WHERE completed_at IS NOT NULL",
  );
  return row!.count;
}

/** Compares the running results with a fresh count of all answers. */
async function expectEqualToFreshCount(): Promise<void> {
  const { surveyId, ratingId } = completions.survey;
  const { data } = await demo.api.get(`/response/surveys/${surveyId}/aggregation`);
  const fresh = await databases.query<{ elementId: string; responses: number; respondents: number; mean: number }>(
    "response",
    `SELECT key AS "elementId", count(*)::int AS responses, count(DISTINCT respondent_id)::int AS respondents,
       avg(CASE WHEN jsonb_typeof(value) = 'number' THEN value::text::numeric END)::float8 AS mean
     FROM answer_sets CROSS JOIN jsonb_each(answers) JOIN respondents USING (workspace_id, survey_id, respondent_id)
     WHERE survey_id = '${surveyId}' AND NOT is_test GROUP BY key`,
  );
  const byElement = new Map(fresh.map((row) => [row.elementId, row]));
  for (const stats of data.questionStats) {
    const counted = byElement.get(stats.elementId) ?? { responses: 0, respondents: 0 };
    expect({ responses: stats.responseCount, respondents: stats.uniqueRespondents }).toEqual({
      responses: counted.responses,
      respondents: counted.respondents,
    });
    if (stats.elementId === ratingId) expect(stats.distribution.mean).toBeCloseTo(byElement.get(ratingId)!.mean, 10);
  }
  const [totals] = await databases.query<{ started: number; completed: number }>(
    "response",
    `SELECT count(*)::int AS started, count(completed_at)::int AS completed FROM respondents WHERE NOT is_test`,
  );
  expect(data.respondentStats).toMatchObject({ totalStarted: totals!.started, totalCompleted: totals!.completed });
  const trend: { completions: number }[] = data.completionTrend;
  expect(trend.reduce((sum, { completions }) => sum + completions, 0)).toBe(totals!.completed);
}
