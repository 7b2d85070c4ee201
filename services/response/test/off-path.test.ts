import { callOptions } from "@canvass/rpc";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startExportHarness, type ExportHarness } from "./export-harness.ts";
import { readAggregation, surveyId } from "./harness.ts";
import { answerTo, items, loop, looped, loopedPages, pageIds } from "./looped-survey.ts";

const { choice, number, rating, itemRating, text } = looped;
const [first, second] = items as [string, string];
const always = { collection: { editAfterSubmit: "always" } };

let harness: ExportHarness;
beforeAll(async () => {
  harness = await startExportHarness(loopedPages);
  const { pages } = harness.survey.versions.get(1)!;
  pages[1]!.loop = loop;
  // Who answers 1 skips the page that repeats.
  const when = { elementId: rating.elementId, operator: "equals" as const, value: 1 };
  pages[0]!.skipLogic = [{ when, goTo: pages[2]!.pageId }];
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(async () => {
  harness.survey.settings = always;
  await harness.pool.query(`TRUNCATE respondents, answer_sets, survey_counters, question_counters, bucket_counters,
    number_counters, completion_slots`);
});

const options = (person = {}) => callOptions({ signedCaller: harness.signed(person) });
const save = (respondentId: string, responses: object[], pageId: string) =>
  harness.submit({ respondentId, responses, pageId });

/** Starts a respondent who rates two items and then saves the first page again with `ends`. */
async function answerUntil(ends: object[]): Promise<string> {
  const respondentId = await harness.start();
  await save(respondentId, [answerTo(choice, [first, second]), answerTo(rating, 3)], pageIds.first);
  await save(respondentId, [answerTo(itemRating, 2, first)], pageIds.item(first));
  await save(respondentId, [answerTo(itemRating, 5, second)], pageIds.item(second));
  await save(respondentId, ends, pageIds.first);
  return respondentId;
}

async function figures(includeOffPath = false) {
  const { questionStats } = await readAggregation(harness.client, options(), { includeOffPath });
  const { responseCount, uniqueRespondents, distributionJson } = questionStats.find(
    ({ questionId }) => questionId === itemRating.questionId,
  )!;
  return [responseCount, uniqueRespondents, (JSON.parse(distributionJson) as { mean: number | null }).mean];
}

/** The answer keys of all listed answers that are marked. */
async function marked(): Promise<string[]> {
  const { answers } = await harness.client.listAnswers({ filter: { surveyId }, limit: 100, page: 1 }, options());
  return answers.filter(({ offPath }) => offPath).map(({ elementId, itemId }) => `${elementId}:${itemId}`);
}

/** The cells of the page that repeats, of each row of an export. */
async function exported(body: object = {}) {
  const rows = await harness.rows({ labels: "ids", ...body });
  const ofItem = (item: string) => `${itemRating.questionId}:${item}`;
  return rows.map((row) => [row[ofItem(first)], row[ofItem(second)]]);
}

test("a loop item that was taken back leaves results with the completion, and includeOffPath brings it back", async () => {
  const respondentId = await answerUntil([answerTo(choice, [first])]);
  expect([await figures(), await marked()]).toEqual([[2n, 1n, 3.5], []]);
  expect(await save(respondentId, [answerTo(text, "bye")], pageIds.last)).toMatchObject({ status: "completed" });
  expect([await figures(), await figures(true)]).toEqual([
    [1n, 1n, 2],
    [2n, 1n, 3.5],
  ]);
  const key = `${itemRating.elementId}:${second}`;
  expect(await marked()).toEqual([key]);
  const { respondent } = await harness.client.getRespondent({ surveyId, respondentId, withAnswers: true }, options());
  const off = respondent!.answers.filter(({ offPath }) => offPath).map(({ valueJson }) => valueJson);
  expect([off, respondent!.percentComplete]).toEqual([["5"], 66]);
  const kept = await harness.client.getAnswer({ surveyId, respondentId, elementId: key }, options());
  expect(kept.answer?.valueJson).toBe("5");
  expect([await exported(), await exported({ includeOffPath: true })]).toEqual([[[2, null]], [[2, 5]]]);
  expect(await harness.verifyResults()).toEqual([]);
});

test.each(["csv", "sav"])("an abandoned branch is in no %s file", async (format) => {
  const respondentId = await answerUntil([answerTo(rating, 1)]);
  await save(respondentId, [answerTo(text, "bye")], pageIds.last);
  const fileOf = async (body: object) => {
    const exportId = await harness.create({ format, ...body });
    await harness.untilEnded(exportId);
    return harness.download(await harness.createDownloadToken(exportId));
  };
  // As if the page had never been answered.
  const without = await fileOf({});
  await harness.sql("UPDATE answer_sets SET answers = answers - off_path, off_path = NULL WHERE off_path IS NOT NULL");
  const never = await fileOf({ includeOffPath: true });
  expect(never.length).toBeGreaterThan(0);
  expect(without.equals(never)).toBe(true);
});

test("all answers count again if the respondent goes back before completing", async () => {
  const respondentId = await answerUntil([answerTo(rating, 1)]);
  await save(respondentId, [answerTo(rating, 4)], pageIds.first);
  await save(respondentId, [], pageIds.last);
  expect([await figures(), await marked(), await exported()]).toEqual([[2n, 1n, 3.5], [], [[2, 5]]]);
});

test("an edit after completion moves answers off the path and back, and retracted ones are gone", async () => {
  const respondentId = await answerUntil([]);
  await save(respondentId, [], pageIds.last);
  await save(respondentId, [answerTo(rating, 1)], pageIds.first);
  expect([await figures(), await figures(true)]).toEqual([
    [0n, 0n, null],
    [2n, 1n, 3.5],
  ]);
  // Answered off the path, taken back there, and on the path again.
  await save(respondentId, [answerTo(itemRating, 4, first), answerTo(itemRating, null, second)], pageIds.item(first));
  expect([await figures(), await figures(true)]).toEqual([
    [0n, 0n, null],
    [1n, 1n, 4],
  ]);
  await save(respondentId, [answerTo(rating, 5)], pageIds.first);
  expect([await figures(), await marked(), await harness.verifyResults()]).toEqual([[1n, 1n, 4], [], []]);
});

test("a single submission that completes also marks its own answers", async () => {
  const respondentId = await harness.start();
  const responses = [answerTo(choice, [first]), answerTo(rating, 3), answerTo(itemRating, 4, second)];
  await harness.submit({ respondentId, responses });
  expect([await figures(), await figures(true), await harness.verifyResults()]).toEqual([
    [0n, 0n, null],
    [1n, 1n, 4],
    [],
  ]);
});

test("rows of an older version are on the path, until an edit evaluates them", async () => {
  const respondentId = await answerUntil([answerTo(rating, 1)]);
  await harness.sql("UPDATE respondents SET completed_at = now()");
  expect([await figures(), await marked()]).toEqual([[2n, 1n, 3.5], []]);
  await save(respondentId, [answerTo(text, "more")], pageIds.last);
  expect(await figures()).toEqual([0n, 0n, null]);
});

const value = fc.record(
  {
    choice: fc.subarray([...items]),
    rating: fc.integer({ min: 1, max: 2 }),
    number: fc.option(fc.integer({ min: 1, max: 3 })),
    items: fc.dictionary(fc.constantFrom(...items), fc.option(fc.integer({ min: 1, max: 6 })), {
      noNullPrototype: true,
    }),
  },
  { requiredKeys: [] },
);
const step = fc.record({ person: fc.nat(2), value, complete: fc.boolean(), erase: fc.nat(11).map((one) => one === 0) });

test("however answers come, go, complete and are erased, alone or in one batch, counters and marks agree with the path", async () => {
  let off = 0;
  const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(batches, async (walked) => {
      const people = [await harness.start(), await harness.start(), await harness.start({ live: false })];
      for (const steps of walked) {
        const bodies = steps.map(({ person, value: given, complete }) => ({
          body: { respondentId: people[person], responses: responsesOf(given), metadata: { complete } },
          options: { caller: harness.signed({ live: person !== 2 }) },
        }));
        await harness.submitAll(bodies);
        const { person, erase } = steps[0]!;
        const erased = { surveyId, respondentId: people[person]! };
        if (erase) await harness.client.eraseRespondent(erased, options({ live: person !== 2 })).catch(() => undefined);
      }
      expect(await harness.verifyResults()).toEqual([]);
      off += await evaluateMarks();
    }),
    { numRuns: 20 },
  );
  expect(off).toBeGreaterThan(3);
});

function responsesOf({
  items: byItem = {},
  ...given
}: Partial<typeof value extends fc.Arbitrary<infer T> ? T : never>) {
  const questions = { choice, rating, number };
  const own = Object.entries(given).map(([name, one]) => answerTo(questions[name as keyof typeof questions], one));
  return [...own, ...Object.entries(byItem).map(([item, one]) => answerTo(itemRating, one, item))];
}

/** Compares the marks of answers with their respondents' paths. Returns how many are marked. */
async function evaluateMarks(): Promise<number> {
  // A list ends before what starts at this moment.
  harness.clock.advance(1);
  const { respondents } = await harness.client.listRespondents({ surveyId, limit: 100, withAnswers: true }, options());
  let off = 0;
  for (const { answers, status } of respondents) {
    const valueOf = (elementId: string) =>
      JSON.parse(answers.find((answer) => answer.elementId === elementId)?.valueJson ?? "null") as unknown;
    const asked = valueOf(rating.elementId) === 1 ? [] : ((valueOf(choice.elementId) ?? []) as string[]);
    for (const { itemId, offPath } of answers) {
      expect(offPath).toBe(status === "completed" && itemId !== "" && !asked.includes(itemId));
      off += Number(offPath);
    }
  }
  return off;
}
