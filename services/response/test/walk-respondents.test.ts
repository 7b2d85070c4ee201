import { firstIdOf } from "@canvass/values";
import { inTransaction, sqlFromPg, type Sql } from "@canvass/postgres";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { walkRespondents, type RespondentWalk } from "../src/application/reading/walk-respondents.ts";
import type { RespondentRecord } from "../src/storage/respondents/respondent-pages.ts";
import { ratingQuestion, startHarness, surveyId, testId, workspaceId } from "./harness.ts";

const begun = new Date("2026-03-01T10:00:00Z");
const harness = await sharedByFile(startHarness([[ratingQuestion("a"), ratingQuestion("b")], [ratingQuestion("c")]]));
beforeEach(async () => {
  harness.clock.set(begun);
  harness.survey.settings = { collection: { editAfterSubmit: "always" } };
  await harness.pool.query("TRUNCATE respondents, answer_sets");
});

const survey = { workspaceId, surveyId };

async function collect(walk: Partial<RespondentWalk> = {}, sql: Sql = sqlFromPg(harness.pool)) {
  const pages = await Array.fromAsync(walkRespondents(sql, { filter: survey, withAnswers: true, ...walk }));
  return pages.flat();
}

async function answer(respondentId: string, values: Record<string, unknown>, complete = false) {
  const responses = Object.entries(values).map(([name, value]) => ({ elementId: testId(name), value }));
  const outcome = await harness.submit({ respondentId, responses, metadata: { complete } });
  expect(outcome.code).toBe("submitted");
}

test("respondents come in the order of their starts, each with the answers that stand", async () => {
  const people: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    people.push(await harness.start());
    harness.clock.advance(1000);
  }
  await answer(people[2]!, { a: 1, b: 2 });
  harness.clock.advance(1000);
  await answer(people[2]!, { b: 3, c: 4 }, true);
  const [first, second, third] = await collect();
  expect([first, second, third].map((each) => each?.respondentId)).toEqual(people);
  expect(first).toMatchObject({ startedAt: begun, completedAt: null, answers: new Map(), metadata: {}, isTest: false });
  expect(second!.startedAt).toEqual(new Date(begun.getTime() + 1000));
  const [earlier, later] = [3000, 4000].map((after) => new Date(begun.getTime() + after));
  expect(third!.completedAt).toEqual(later);
  expect([...third!.answers].sort(([a], [b]) => (a < b ? -1 : 1))).toEqual([
    [testId("a"), { value: 1, meta: null, submittedAt: earlier }],
    [testId("b"), { value: 3, meta: null, submittedAt: later }],
    [testId("c"), { value: 4, meta: null, submittedAt: later }],
  ]);
  expect(
    (await collect({ after: people[0]!, withAnswers: false })).map((each) => [each.respondentId, each.answers]),
  ).toEqual(people.slice(1).map((id) => [id, new Map()]));
});

test("each filter selects the respondents that match it, up to its bounds, and none of other surveys or workspaces", async () => {
  const people: string[] = [];
  for (let index = 0; index < 4; index += 1) {
    people.push(await harness.start());
    harness.clock.advance(60_000);
  }
  await answer(people[1]!, { a: 1, c: 1 }, true);
  await harness.pool.query("UPDATE respondents SET distributor_id = 'd1', contact_id = 'c1' WHERE respondent_id = $1", [
    people[2],
  ]);
  const minute = (count: number) => new Date(begun.getTime() + count * 60_000);
  const idsOf = async (filter: object) =>
    (await collect({ filter: { ...survey, ...filter } })).map(({ respondentId }) => people.indexOf(respondentId));
  expect(await idsOf({})).toEqual([0, 1, 2, 3]);
  expect(await idsOf({ isCompleted: true })).toEqual([1]);
  expect(await idsOf({ isCompleted: false })).toEqual([0, 2, 3]);
  expect(await idsOf({ from: minute(1), to: minute(3) })).toEqual([1, 2]);
  expect(await idsOf({ startedBefore: minute(2) })).toEqual([0, 1]);
  expect(await idsOf({ distributorId: "d1" })).toEqual([2]);
  expect(await idsOf({ contactId: "c1", isCompleted: true })).toEqual([]);
  expect(await idsOf({ surveyId: testId("other") })).toEqual([]);
  expect(await idsOf({ workspaceId: testId("other") })).toEqual([]);
});

test("with full anonymity a respondent keeps its place when it completes, and the day finds it before and after", async () => {
  harness.survey.settings = { privacy: { anonymity: "full" } };
  const people = await Promise.all(Array.from({ length: 12 }, () => harness.start()));
  const order = (await collect()).map(({ respondentId }) => respondentId);
  expect(order).toEqual([...people].sort());
  for (const person of people.slice(0, 6)) await answer(person, { a: 1, c: 1 }, true);
  expect((await collect()).map(({ respondentId }) => respondentId)).toEqual(order);
  const day = { from: new Date("2026-03-01T00:00:00Z"), to: new Date("2026-03-02T00:00:00Z") };
  expect(await collect({ filter: { ...survey, ...day } })).toHaveLength(12);
  expect(await collect({ filter: { ...survey, startedBefore: begun } })).toHaveLength(12);
});

test("many respondents and heavy ones come in steps, none twice, none left out, and a snapshot stays one", async () => {
  const text = "x".repeat(40_000);
  await harness.pool.query(
    `INSERT INTO respondents (workspace_id, survey_id, respondent_id, version_id, version_number, is_test, is_anonymous,
       started_at, last_seen_at)
     SELECT $1, $2, left($3, 8) || lpad(n::text, 8, '0'), 'v', 1, false, false, $4, $4 FROM generate_series(1, 2100) AS n`,
    [workspaceId, surveyId, firstIdOf(begun), begun],
  );
  await harness.pool.query(
    `INSERT INTO answer_sets (workspace_id, survey_id, respondent_id, part, submitted_at, answers)
     SELECT workspace_id, survey_id, respondent_id, p, started_at,
       jsonb_build_object('e' || p, CASE WHEN right(respondent_id, 2) = '77' THEN $1 ELSE 'short' END)
     FROM respondents, generate_series(0, 2) AS p`,
    [text],
  );
  await inTransaction(
    harness.pool,
    async (sql) => {
      const walk = walkRespondents(sql, { filter: survey, withAnswers: true });
      const pages: RespondentRecord[][] = [(await walk.next()).value!];
      await harness.pool.query("DELETE FROM answer_sets WHERE right(respondent_id, 1) = '9'");
      for await (const page of walk) pages.push(page);
      const all = pages.flat();
      expect(all.map(({ respondentId }) => Number(respondentId.slice(8)))).toEqual(
        Array.from({ length: 2100 }, (_, index) => index + 1),
      );
      expect(all.every(({ answers }) => answers.size === 3)).toBe(true);
      const weights = pages.map((page) => JSON.stringify(page.map(({ answers }) => [...answers])).length);
      expect(Math.max(...weights)).toBeLessThan(600_000);
      expect(pages.length).toBeLessThan(20);
    },
    { isolation: "repeatable read" },
  );
});
