import { callOptions } from "@canvass/rpc";
import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import {
  ownLocks,
  ratingQuestion,
  startHarness,
  surveyId,
  testId,
  workspaceId,
  type ResponseHarness,
} from "./harness.ts";

const other = testId("otherworkspace");
const many = Array.from({ length: 12 }, (_, index) => testId(`survey${index}x`));

async function start(harness: ResponseHarness, of: string, workspace = workspaceId): Promise<string> {
  const options = callOptions({ signedCaller: harness.signed({ workspaceId: workspace }) });
  return (await harness.client.startRespondent({ surveyId: of }, options)).respondent!.respondentId;
}

function submission(harness: ResponseHarness, of: string, respondentId: string, workspace = workspaceId) {
  const body = { respondentId, responses: [{ elementId: testId("a"), value: 1 }], pageId: testId("page1") };
  return { body, options: { surveyId: of, caller: harness.signed({ workspaceId: workspace }) } };
}

/** Makes requests for versions of the workspaces hang until `end`, or until the end of the test. */
function hanging(harness: ResponseHarness, ...workspaces: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  harness.survey.versionsHang = { workspaces: new Set(workspaces), until: promise };
  return {
    end: resolve,
    [Symbol.dispose]: () => {
      harness.survey.versionsHang = undefined;
      resolve();
    },
  };
}

/** Starts a respondent of each survey and changes their versions, so that none is cached, as after a restart. */
async function startOnUncachedVersions(harness: ResponseHarness): Promise<Map<string, string>> {
  harness.survey.others = new Set(many);
  const respondents = new Map<string, string>();
  for (const of of many) respondents.set(of, await start(harness, of));
  await harness.pool.query("UPDATE respondents SET version_id = survey_id || 'b' WHERE survey_id = ANY ($1)", [many]);
  return respondents;
}

test("submissions that wait for versions do not delay others, whose versions are cached or of another workspace", async () => {
  await using harness = await startHarness([[ratingQuestion("a")], [ratingQuestion("b")]]);
  const kept = await harness.start();
  const before = await startOnUncachedVersions(harness);
  const fresh = await start(harness, many[0]!, other);
  await harness.pool.query("UPDATE respondents SET version_id = 'fresh' WHERE respondent_id = $1", [fresh]);
  using hang = hanging(harness, workspaceId);
  let answered = 0;
  const waiting = [...before].map(async ([of, respondentId]) => {
    const [outcome] = await harness.submitAll([submission(harness, of, respondentId)]);
    answered += 1;
    return outcome!.code;
  });
  expect(await harness.submitAll([submission(harness, surveyId, kept)])).toMatchObject([{ code: "submitted" }]);
  expect(await harness.submitAll([submission(harness, many[0]!, fresh, other)])).toMatchObject([{ code: "submitted" }]);
  expect(answered).toBe(0);
  hang.end();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["submitted"]));
});

test("one batch stores submissions with a known version at once, and the others in order when theirs is loaded", async () => {
  await using harness = await startHarness([[ratingQuestion("a")], [ratingQuestion("b")]]);
  const kept = await harness.start();
  const [[of, late]] = [...(await startOnUncachedVersions(harness))] as [[string, string]];
  using hang = hanging(harness, workspaceId);
  const again = submission(harness, of, late);
  const batch = harness.submitAll([again, submission(harness, surveyId, kept), again]);
  const stored = async () => (await harness.pool.query("SELECT respondent_id FROM answer_sets")).rows;
  await waitFor(async () => (await stored()).length === 1, { describe: "the first to be stored" });
  expect(await stored()).toEqual([{ respondent_id: kept }]);
  hang.end();
  const outcomes = await batch;
  expect(outcomes.map(({ code }) => code)).toEqual(["submitted", "submitted", "submitted"]);
  expect(outcomes[2]).toEqual(outcomes[0]);
});

test("a version that cannot be read refuses the submissions to it, and none of another workspace in their batch", async () => {
  await using harness = await startHarness([[ratingQuestion("a")], [ratingQuestion("b")]]);
  const before = await startOnUncachedVersions(harness);
  const [broken, whole] = many as [string, string];
  const fresh = await start(harness, whole, other);
  const move = "UPDATE respondents SET version_id = $2 WHERE respondent_id = $1";
  // The survey service answers it without a definition.
  await harness.pool.query(move, [before.get(broken), testId("version9")]);
  await harness.pool.query(move, [fresh, "fresh"]);
  const outcomes = await harness.submitAll([
    submission(harness, broken, before.get(broken)!),
    submission(harness, whole, fresh, other),
    submission(harness, whole, before.get(whole)!),
  ]);
  expect(outcomes.map(({ code }) => code)).toEqual(["internal_error", "submitted", "submitted"]);
});

test("starts that wait for versions do not delay others", async () => {
  await using harness = await startHarness([[ratingQuestion("a")]]);
  const elsewhere = testId("elsewhere");
  harness.survey.others = new Set([...many, elsewhere]);
  await harness.start();
  using hang = hanging(harness, workspaceId);
  let started = 0;
  const waiting = many.map(async (of) => {
    await start(harness, of);
    started += 1;
  });
  await start(harness, elsewhere, other);
  await harness.start();
  expect(started).toBe(0);
  hang.end();
  await Promise.all(waiting);
});

test("starts whose questions are being written leave connections to others", async () => {
  await using harness = await startHarness([[ratingQuestion("a")]]);
  harness.survey.others = new Set(many);
  await harness.start();
  const lock = await harness.pool.connect();
  await lock.query("BEGIN; LOCK TABLE known_questions");
  let started = 0;
  const waiting = many.map(async (of) => {
    await start(harness, of);
    started += 1;
  });
  const writing = async () => {
    const held = `SELECT 1 FROM ${ownLocks} WHERE NOT granted AND relation = 'known_questions'::regclass`;
    return (await lock.query(held)).rows.length;
  };
  await waitFor(async () => (await writing()) > 0, { describe: "the first to be written" });
  for (let next = 0; next < 10; next += 1) await harness.start();
  expect([await writing(), started]).toEqual([1, 0]);
  await lock.query("ROLLBACK");
  lock.release();
  await Promise.all(waiting);
});

test("a batch that shall not wait leaves out what would, and answers the rest", async () => {
  await using harness = await startHarness([[ratingQuestion("a")], [ratingQuestion("b")]]);
  const kept = await harness.start();
  const [[of, late]] = [...(await startOnUncachedVersions(harness))] as [[string, string]];
  using hang = hanging(harness, workspaceId);
  const sent = [submission(harness, of, late), submission(harness, surveyId, kept)].map(({ body, options }) => ({
    caller: options.caller,
    surveyId: options.surveyId,
    bodyJson: JSON.stringify(body),
  }));
  const { results } = await harness.client.batchSubmitAnswers({ submissions: sent, withoutLate: true });
  expect(results.map(({ leftOut, outcome }) => [leftOut, outcome.case])).toEqual([
    [true, undefined],
    [false, "submitted"],
  ]);
  hang.end();
  const again = await harness.client.batchSubmitAnswers({ submissions: [sent[0]!] });
  expect(again.results).toMatchObject([{ leftOut: false, outcome: { case: "submitted" } }]);
});
