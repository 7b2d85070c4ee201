import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ListRespondentsRequestSchema, Respondent } from "@canvass/proto/response";
import { callOptions } from "@canvass/rpc";
import { codeOf, refusal } from "@canvass/service/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { ratingQuestion, startHarness, surveyId, testId } from "./harness.ts";

const begun = new Date("2026-03-01T10:00:00Z");
const harness = await sharedByFile(
  startHarness([[ratingQuestion("a"), ratingQuestion("b", true)], [ratingQuestion("c")]]),
);
beforeEach(async () => {
  harness.clock.set(begun);
  harness.survey.settings = { collection: { editAfterSubmit: "always" } };
  await harness.pool.query("TRUNCATE respondents, answer_sets");
});

const options = () => callOptions({ signedCaller: harness.signed() });
const list = (request: MessageInitShape<typeof ListRespondentsRequestSchema> = {}) =>
  harness.client.listRespondents({ surveyId, limit: 100, ...request }, options());
const idsOf = ({ respondents }: { respondents: Respondent[] }) => respondents.map(({ respondentId }) => respondentId);

async function walk(request: MessageInitShape<typeof ListRespondentsRequestSchema> = {}) {
  const respondents: Respondent[] = [];
  for (let cursor = "", hasMore = true; hasMore;) {
    const page = await list({ ...request, cursor });
    respondents.push(...page.respondents);
    ({ nextCursor: cursor, hasMore } = page);
  }
  return respondents;
}

/** Starts people a second apart; what they did is before the horizon. */
async function startMany(count: number): Promise<string[]> {
  const people: string[] = [];
  for (let index = 0; index < count; index += 1) {
    people.push(await harness.start({ live: index % 3 !== 2 }));
    harness.clock.advance(1000);
  }
  return people;
}

async function give(respondentId: string, values: Record<string, unknown>, live = true) {
  const responses = Object.entries(values).map(([name, value]) => ({
    elementId: testId(name),
    value,
    meta: { took: 1 },
  }));
  const outcome = await harness.submit({ respondentId, responses }, { caller: harness.signed({ live }) });
  expect(outcome.code).toBe("submitted");
}

test("respondents are listed as one of them is read, by every limit, with and without their answers", async () => {
  const people = await startMany(7);
  await give(people[1]!, { a: 1, b: 2, c: 3 });
  await give(people[2]!, { a: 4 }, false);
  harness.clock.advance(1000);
  await give(people[1]!, { a: 5 });
  for (const withAnswers of [false, true]) {
    const alone = await Promise.all(
      people.map(async (respondentId) => {
        const { respondent } = await harness.client.getRespondent({ surveyId, respondentId, withAnswers }, options());
        return respondent!;
      }),
    );
    for (const limit of [1, 2, 3, 6, 7, 100]) expect(await walk({ limit, withAnswers })).toEqual(alone);
    expect(alone[1]).toMatchObject({ status: "completed", percentComplete: 100, isTest: false });
    expect(alone[2]).toMatchObject({ status: "started", percentComplete: 33, isTest: true, completedAt: "" });
    const names = alone[1]!.answers.map(({ elementId, valueJson, metaJson }) => elementId[0] + valueJson + metaJson);
    expect(names).toEqual(withAnswers ? ["b2", "c3", "a5"].map((each) => `${each}{"took":1}`) : []);
  }
});

test("each filter selects the respondents that match it, and a cursor works with its own filter only", async () => {
  const people = await startMany(4);
  await give(people[1]!, { b: 2 });
  await harness.pool.query("UPDATE respondents SET distributor_id = $2, contact_id = $3 WHERE respondent_id = $1", [
    people[2],
    testId("d"),
    testId("c"),
  ]);
  const shown = async (filter: MessageInitShape<typeof ListRespondentsRequestSchema>) =>
    idsOf({ respondents: await walk({ ...filter, limit: 1 }) }).map((id) => people.indexOf(id));
  const second = (count: number) => timestampFromDate(new Date(begun.getTime() + count * 1000));
  expect(await shown({ completed: true })).toEqual([1]);
  expect(await shown({ completed: false })).toEqual([0, 2, 3]);
  expect(await shown({ status: "started" })).toEqual([0, 2, 3]);
  expect(await shown({ status: "completed", completed: true })).toEqual([1]);
  expect(await shown({ status: "started", completed: true })).toEqual([]);
  expect(await shown({ from: second(1), to: second(3) })).toEqual([1, 2]);
  expect(await shown({ distributorId: testId("d") })).toEqual([2]);
  expect(await shown({ contactId: testId("c"), completed: false })).toEqual([2]);
  const { nextCursor } = await list({ limit: 1 });
  expect(await refusal(list({ completed: true, cursor: nextCursor }))).toEqual({
    code: "validation_failed",
    details: { cursor: ["is not a cursor of this list and its filters"] },
  });
  expect(await codeOf(list({ surveyId: testId("absent") }))).toBe("survey_not_found");
  expect(await refusal(list({ surveyId: testId("absent"), contactId: "", limit: 0 }))).toMatchObject({
    details: { contactId: [expect.any(String)], limit: [expect.any(String)] },
  });
});

test("the end of the list can be polled, and shows later starts once their position is final", async () => {
  await startMany(2);
  const { nextCursor, hasMore } = await list();
  expect(hasMore).toBe(false);
  const late = await harness.start();
  expect(await list({ cursor: nextCursor })).toMatchObject({ respondents: [], nextCursor, hasMore: true });
  harness.clock.advance(1);
  expect(idsOf(await list({ cursor: nextCursor }))).toEqual([late]);
});

test("heavy answers make a page short where they are shown, and only there", async () => {
  const people = await startMany(30);
  await harness.pool.query(
    `INSERT INTO answer_sets (workspace_id, survey_id, respondent_id, part, submitted_at, answers)
     SELECT workspace_id, survey_id, respondent_id, 0, started_at, jsonb_build_object($1::text, $2::text) FROM respondents`,
    [testId("a"), "é".repeat(100_000)],
  );
  const page = await list({ withAnswers: true });
  expect(page.respondents.length).toBeGreaterThan(5);
  expect(page.respondents.length).toBeLessThan(20);
  expect(page.hasMore).toBe(true);
  expect(idsOf({ respondents: await walk({ withAnswers: true }) })).toEqual(people);
  expect(idsOf(await list())).toEqual(people);
});

test("with full anonymity a full scan has every respondent once, even if they complete meanwhile; times are days", async () => {
  harness.survey.settings = { privacy: { anonymity: "full" } };
  const people = await Promise.all(Array.from({ length: 9 }, () => harness.start()));
  const seen: string[] = [];
  for (let cursor = "", hasMore = true, index = 0; hasMore; index += 1) {
    const page = await list({ cursor, limit: 2 });
    seen.push(...idsOf(page));
    ({ nextCursor: cursor, hasMore } = page);
    await give(people[index]!, { b: 1 });
  }
  expect(seen).toEqual([...people].sort());
  const completed = await walk({ completed: true });
  const days = completed.map(({ startedAt, completedAt }) => [timestampDate(startedAt!).toISOString(), completedAt]);
  expect(new Set(days.map(String))).toEqual(new Set(["2026-03-01T00:00:00.000Z,2026-03-01"]));
});
