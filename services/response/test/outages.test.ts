import { type Replay } from "@canvass/proto/rpc";
import { idempotency as named } from "@canvass/service/testing";
import { callOptions } from "@canvass/rpc";
import { testPostgresUrl } from "@canvass/testing";
import { Pool } from "pg";
import { expect, test } from "vitest";
import { ratingQuestion, startHarness, surveyId, testId, type ResponseHarness } from "./harness.ts";

const body = (respondentId: string) => ({ respondentId, responses: [{ elementId: testId("a"), value: 1 }] });

test("while the survey service is down, respondents continue", async () => {
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
  harness.survey.active = false;
  expect((await harness.submit(sent)).code).toBe("survey_not_collecting");
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

test("while the survey service hangs, no request waits for it, and pushed state is used", async () => {
  await using harness = await startHarness([[ratingQuestion("a")], [ratingQuestion("b", true)]]);
  const { survey } = harness;
  const respondentId = await harness.start();
  const before = survey.asked;
  survey.hangs = Promise.withResolvers<void>().promise;
  const submit = async () => (await harness.submit(body(respondentId))).code;
  for (let next = 0; next < 50; next += 1) expect(await submit()).toBe("submitted");
  survey.active = false;
  expect(await submit()).toBe("survey_not_collecting");
  expect(survey.asked).toBe(before);
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
