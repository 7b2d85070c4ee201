import { firstIdOf } from "@canvass/values";
import type { Answer } from "@canvass/proto/response";
import { callOptions } from "@canvass/rpc";
import { codeOf, refusal } from "@canvass/service/testing";
import { openPool, type OpenPool } from "@canvass/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSnapshots } from "../src/application/reading/snapshots.ts";
import { ratingQuestion, startHarness, surveyId, testId, workspaceId, type ResponseHarness } from "./harness.ts";

const names = ["a", "b", "c", "d"];
const respondents = 5_000;
const begun = new Date("2026-02-01T10:00:00Z");

let harness: ResponseHarness;
let pools: OpenPool;
beforeAll(async () => {
  harness = await startHarness([names.map((name) => ratingQuestion(name))]);
  pools = openPool({ url: harness.databaseUrl, poolSize: 4, kept: 0, applicationName: "snapshots" });
  const ids = Array.from({ length: respondents }, (_, index) => firstIdOf(new Date(begun.getTime() + index)));
  await harness.pool.query(
    `INSERT INTO respondents (workspace_id, survey_id, respondent_id, version_id, version_number, is_test, is_anonymous,
       started_at, last_seen_at) SELECT $1, $2, id, $3, 1, false, false, $4, $4 FROM unnest($5::text[]) AS id`,
    [workspaceId, surveyId, testId("version1"), begun, ids],
  );
  await harness.pool.query(
    `INSERT INTO answer_sets (workspace_id, survey_id, respondent_id, part, submitted_at, answers)
     SELECT workspace_id, survey_id, respondent_id, 0, $2::timestamptz + interval '1 ms' * (row_number() OVER () / 3), $1
     FROM respondents`,
    [Object.fromEntries(names.map((name) => [testId(name), 3])), begun],
  );
});
afterAll(async () => {
  await pools[Symbol.asyncDispose]();
  await harness[Symbol.asyncDispose]();
});

const options = (workspace = workspaceId) => callOptions({ signedCaller: harness.signed({ workspaceId: workspace }) });

/** Starts a stream and reads its first chunk. */
async function begin(cursor = "", workspace = workspaceId, survey = surveyId, signal = AbortSignal.any([])) {
  const request = { filter: { surveyId: survey }, cursor };
  const chunks = harness.client.streamAnswers(request, { ...options(workspace), signal })[Symbol.asyncIterator]();
  await chunks.next();
  return chunks;
}

async function rest(chunks: AsyncIterator<{ answers: Answer[] }>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let chunk = await chunks.next(); !chunk.done; chunk = await chunks.next()) answers.push(...chunk.value.answers);
  return answers;
}

const idsOf = (answers: readonly Answer[]) => answers.map(({ answerId }) => answerId);
const all = async () => idsOf(await rest(await begin()));

/** Connections that hold a snapshot. */
async function snapshots(): Promise<number> {
  const rows = await harness.sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL
       AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  return rows[0]!.count;
}

test("a stream shows one moment, whatever is taken back, given again and given meanwhile", async () => {
  const before = await all();
  expect(before).toHaveLength(respondents * names.length);
  expect(new Set(before).size).toBe(before.length);
  const client = await harness.pool.connect();
  const chunks = await begin();
  await client.query("BEGIN");
  await client.query("DELETE FROM answer_sets WHERE substr(respondent_id, 8, 1) = '0' AND submitted_at > $1", [
    new Date(begun.getTime() + 50),
  ]);
  await client.query("UPDATE answer_sets SET answers = answers - $1", [testId("c")]);
  await client.query("COMMIT");
  const person = await harness.start();
  await harness.submit({ respondentId: person, responses: [{ elementId: testId("a"), value: 1 }] });
  expect(idsOf(await rest(chunks))).toEqual(before);
  client.release();
});

test("an interrupted reader continues after the last row with exactly the rest, also by page", async () => {
  const whole = await rest(await begin());
  for (const met of [1, 2, 777, whole.length - 1, whole.length]) {
    const { cursor } = whole[met - 1]!;
    expect(idsOf(await rest(await begin(cursor)))).toEqual(idsOf(whole.slice(met)));
    const page = await harness.client.listAnswers({ filter: { surveyId }, limit: 100, cursor }, options());
    expect(idsOf(page.answers)).toEqual(idsOf(whole.slice(met, met + 100)));
  }
});

test("chunks are produced only when read; a reader that disconnects returns its connection and permit", async () => {
  for (let round = 0; round < 5; round += 1) {
    const left = new AbortController();
    const two = [0, 1].map(() => begin("", workspaceId, surveyId, left.signal));
    await Promise.all(two);
    await expect.poll(snapshots).toBe(2);
    left.abort();
    await expect.poll(snapshots).toBe(0);
  }
});

test("a third stream of a workspace is refused, other workspaces' are not, and submits go on beside them", async () => {
  const [other, third] = [testId("otherworkspace"), testId("thirdworkspace")];
  const survey = testId("othersurvey");
  harness.survey.others.add(survey);
  const open = [await begin(), await begin()];
  expect(await refusal(begin())).toMatchObject({ code: "rate_limited", details: { concurrent_streams: 2 } });
  const others = [await begin("", other, survey), await begin("", other, survey)];
  // They are empty and have ended.
  await Promise.all(others.map(rest));
  const person = await harness.start();
  const outcomes = await harness.submitAll(
    Array.from({ length: 50 }, (_, index) => ({
      body: {
        respondentId: person,
        responses: [{ elementId: testId("a"), value: 1 + (index % 5) }],
        metadata: { complete: false },
      },
    })),
  );
  expect(outcomes.every(({ code }) => code === "submitted")).toBe(true);
  expect(await rest(await begin("", third, survey))).toEqual([]);
  for (const chunks of open) expect((await rest(chunks)).length).toBeGreaterThan(0);
  expect((await rest(await begin())).length).toBeGreaterThan(0);
});

async function* reading(sql: { query: (text: string) => Promise<unknown[]> }) {
  for (;;) yield await sql.query("SELECT 1 AS row");
}

test("a snapshot ends at its lifetime, even while its reader is idle, and returns its permit", async () => {
  const few = createSnapshots(pools, { perWorkspace: 1, total: 2, lifetimeMs: 2_500 });
  const resting = few.stream("one", reading);
  await resting.next();
  await expect.poll(snapshots).toBe(0);
  expect(await codeOf(resting.next())).toBe("deadline_exceeded");
  const next = few.stream("one", reading);
  expect((await next.next()).done).toBe(false);
  await next.return(undefined);
});

test("a process has a limited number of snapshots at once, in all and per workspace", async () => {
  const few = createSnapshots(pools, { perWorkspace: 1, total: 2, lifetimeMs: 60_000 });
  const [first, second] = [few.stream("one", reading), few.stream("two", reading)];
  await Promise.all([first.next(), second.next()]);
  expect(await codeOf(few.stream("one", reading).next())).toBe("rate_limited");
  expect(await codeOf(few.stream("three", reading).next())).toBe("service_unavailable");
  for (const chunks of [first, second]) await chunks.return(undefined);
  const fair = createSnapshots(pools, { perWorkspace: 2, total: 4, lifetimeMs: 60_000 });
  const held = ["one", "one", "two"].map((workspace) => fair.stream(workspace, reading));
  await Promise.all(held.map((chunks) => chunks.next()));
  expect(await codeOf(fair.stream("one", reading).next())).toBe("rate_limited");
  expect(await codeOf(fair.stream("two", reading).next())).toBe("service_unavailable");
  // Two workspaces never take all permits.
  const third = fair.stream("three", reading);
  expect((await third.next()).done).toBe(false);
  for (const chunks of [...held, third]) await chunks.return(undefined);
});
