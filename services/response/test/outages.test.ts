import { type Replay } from "@canvass/proto/rpc";
import { idempotency as named } from "@canvass/service/testing";
import { callOptions } from "@canvass/rpc";
import { testPostgresUrl, waitFor } from "@canvass/testing";
import { Pool } from "pg";
import { expect, test } from "vitest";
import { ratingQuestion, startHarness, surveyId, testId, type ResponseHarness } from "./harness.ts";

const body = (respondentId: string) => ({ respondentId, responses: [{ elementId: testId("a"), value: 1 }] });

test("while the survey service is away, respondents go on with what was known last", async () => {
  await using harness = await startHarness([[ratingQuestion("a")]]);
  const respondentId = await harness.start();
  await harness.stopSurveyService();
  expect((await harness.submit(body(respondentId))).code).toBe("submitted");
});

test("a repetition is answered as before, whatever the survey service says of the survey by then", async () => {
  await using harness = await startHarness([[ratingQuestion("a")]]);
  const started = await startOnce(harness);
  const sent = body(await harness.start());
  const first = await harness.submit(sent, { key: "submit" });
  harness.survey.found = false;
  await waitFor(async () => (await harness.submit(sent)).code === "survey_not_found", { describe: "no such survey" });
  expect(await harness.submit(sent, { key: "submit" })).toEqual({ ...first, replayOf: "first-submit" });
  expect(await startOnce(harness)).toEqual({ ...started, replays: [expect.objectContaining({ requestId: "first" })] });
});

async function startOnce(harness: ResponseHarness) {
  const replays: Replay[] = [];
  const answeredAt = new Date("2026-03-01T12:00:00Z");
  const idempotency = named("start", "", { requestId: "first", answeredAt });
  const onReplay = (replay: Replay) => replays.push(replay);
  const options = { signedCaller: harness.signed(), requestId: "first", idempotency, onReplay };
  const { respondent } = await harness.client.startRespondent({ surveyId }, callOptions(options));
  return { respondentId: respondent!.respondentId, replays };
}

test("while the survey service hangs, only those wait who ask first, and its first answer counts again", async () => {
  await using harness = await startHarness([[ratingQuestion("a")], [ratingQuestion("b", true)]]);
  const { survey } = harness;
  const respondentId = await harness.start();
  const submit = async () => (await harness.submit(body(respondentId))).code;
  expect(await submit()).toBe("submitted");
  const before = survey.asked;
  const { promise, resolve } = Promise.withResolvers<void>();
  survey.hangs = promise;
  const first = await Promise.all(Array.from({ length: 10 }, submit));
  for (let next = 0; next < 50; next += 1) first.push(await submit());
  expect(new Set(first)).toEqual(new Set(["submitted"]));
  // Two questions are under way at once, for three seconds each: the fifty came after another in the time of a few.
  expect(survey.asked - before).toBeLessThanOrEqual(10);

  survey.active = false;
  survey.hangs = undefined;
  resolve();
  await waitFor(async () => (await submit()) === "survey_not_collecting", { describe: "the new state to count" });
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
