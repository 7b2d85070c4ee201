import { testPostgresUrl } from "@canvass/testing";
import { Pool } from "pg";
import { expect, test } from "vitest";
import { ratingQuestion, startHarness, testId } from "./harness.ts";

const body = (respondentId: string) => ({ respondentId, responses: [{ elementId: testId("a"), value: 1 }] });

test("while the survey service is away, respondents go on with what was known last", async () => {
  await using harness = await startHarness([[ratingQuestion("a")]]);
  const respondentId = await harness.start();
  await harness.stopSurveyService();
  expect((await harness.submit(body(respondentId))).code).toBe("submitted");
});

test("while the database is away, everything is said to be unavailable, and works again afterwards", async () => {
  await using harness = await startHarness([[ratingQuestion("a")]]);
  const [one, two] = [await harness.start(), await harness.start()];
  const name = new URL(harness.databaseUrl).pathname.slice(1);
  const admin = new Pool({ connectionString: await testPostgresUrl(), max: 1 });
  await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
  await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
  const outcomes = await harness.submitAll([{ body: body(one) }, { body: body(two) }]);
  expect(outcomes.map(({ code }) => code)).toEqual(["service_unavailable", "service_unavailable"]);
  await expect(harness.start()).rejects.toMatchObject({ code: "service_unavailable" });
  expect((await fetch(`${harness.opsUrl}/readyz`)).status).toBe(503);

  await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
  await admin.end();
  expect((await harness.submit(body(one))).code).toBe("submitted");
});
