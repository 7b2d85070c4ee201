import { type EraseRespondentResponse } from "@canvass/proto/response";
import { callOptions } from "@canvass/rpc";
import { codeOf, idempotency } from "@canvass/service/testing";
import { anyFreePort, waitFor } from "@canvass/testing";
import fc from "fast-check";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ownLocks, startHarness, surveyId, testId, type ResponseHarness } from "./harness.ts";
import { answerTo, items, loop, looped, loopedPages, pageIds } from "./looped-survey.ts";

const twin = testId("twin");
const tables = [
  "respondents",
  "answer_sets",
  "survey_counters",
  "completion_slots",
  "question_counters",
  "bucket_counters",
  "number_counters",
  "start_days",
  "activity_slots",
];

let harness: ResponseHarness;
beforeAll(async () => {
  harness = await startHarness(loopedPages);
  harness.survey.versions.get(1)!.pages[1]!.loop = loop;
  harness.survey.others.add(twin);
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(async () => {
  harness.survey.settings = { collection: { editAfterSubmit: "always" } };
  harness.clock.set(new Date("2026-03-01T12:00:00Z"));
  await harness.pool.query(`TRUNCATE ${tables.join(", ")}, idempotency_records, outbox_events`);
});

type Person = Parameters<ResponseHarness["signed"]>[0];

async function start(survey = surveyId, person?: Person): Promise<string> {
  const options = callOptions({ signedCaller: harness.signed(person) });
  return (await harness.client.startRespondent({ surveyId: survey, country: "DE" }, options)).respondent!.respondentId;
}

function erase(respondentId: string, { key, ...person }: Person & { key?: string; surveyId?: string } = {}) {
  return harness.client.eraseRespondent(
    { surveyId: person.surveyId ?? surveyId, respondentId },
    callOptions({ signedCaller: harness.signed(person), ...(key && { idempotency: idempotency(key, null) }) }),
  );
}

const whole = (respondentId: string) => ({
  respondentId,
  responses: [
    answerTo(looped.choice, items.slice(0, 2)),
    answerTo(looped.number, 4.5),
    answerTo(looped.rating, 3),
    answerTo(looped.itemRating, 2, items[0]),
    answerTo(looped.itemRating, 5, items[1]),
    answerTo(looped.text, "Hans Meier, Hauptstr. 1"),
  ],
});

/** What stands in the counters of a survey, summed over their shards. */
async function counters(survey: string) {
  const sums = {
    survey_counters:
      "sum(started) || ' ' || sum(completed) || ' ' || sum(completion_milliseconds) || ' ' || sum(test_answers)",
    completion_slots: "starts_at || ' ' || sum(completions)",
    question_counters: "question_id || ' ' || sum(responses) || ' ' || sum(respondents) || ' ' || sum(sum)",
    bucket_counters: "question_id || ' ' || bucket || ' ' || sum(count)",
    number_counters: "question_id || ' ' || number || ' ' || sum(count)",
  };
  const found: Record<string, string[]> = {};
  for (const [table, columns] of Object.entries(sums)) {
    const keys = [...columns.matchAll(/\b(starts_at|question_id|bucket|number)\b/g)].map(([, key]) => key);
    const { rows } = await harness.pool.query<{ line: string }>(
      `SELECT ${columns} AS line FROM ${table} WHERE survey_id = $1 ${keys.length > 0 ? `GROUP BY ${keys.join(", ")}` : ""}`,
      [survey],
    );
    found[table] = rows.flatMap(({ line }) => (line === null || /( 0)+$/.test(line) ? [] : [line])).sort();
  }
  return found;
}

async function results(survey: string) {
  const options = callOptions({ signedCaller: harness.signed() });
  const chunks = await Array.fromAsync(harness.client.streamAggregation({ surveyId: survey }, options));
  const { contentHash: _, ...summary } = chunks[0]!.summary!;
  return { summary, questionStats: chunks.flatMap(({ questionStats }) => questionStats) };
}

const listOf = (survey: string) =>
  harness.client.listAnswers(
    { filter: { surveyId: survey }, limit: 100, page: 1 },
    callOptions({ signedCaller: harness.signed() }),
  );

const summary = async () => {
  const { active, startedSinceMidnight } = await harness.client.getLiveSummary(
    {},
    callOptions({ signedCaller: harness.signed() }),
  );
  return [Number(startedSinceMidnight), Number(active)];
};

describe("an erased respondent", () => {
  test("leaves a receipt, an audit entry without a name, and nothing else", async () => {
    harness.survey.settings = {};
    const respondentId = await start();
    await harness.submit(whole(respondentId));
    // As if the completion had been confirmed long ago.
    await harness.pool.query("TRUNCATE outbox_events");
    const receipt = await erase(respondentId);
    expect(receipt).toMatchObject({ answers: 6, files: 0 });
    expect(new Date(Number(receipt.erasedAt!.seconds) * 1000)).toEqual(harness.clock.now());
    for (const table of [...tables, "idempotency_records", "outbox_events", "known_questions"]) {
      const { rows } = await harness.pool.query(`SELECT t::text AS row FROM ${table} t`);
      for (const { row } of rows) expect(row).not.toMatch(new RegExp(`${respondentId}|Meier`));
    }
    const { rows: events } = await harness.pool.query("SELECT type FROM outbox_events ORDER BY type");
    expect(events.map(({ type }) => type)).toEqual(["audit.recorded", "response.erased"]);
    const own = callOptions({ signedCaller: harness.signed() });
    expect(await codeOf(harness.client.getRespondent({ surveyId, respondentId }, own))).toBe("respondent_not_found");
    expect((await harness.submit(whole(respondentId))).code).toBe("respondent_not_found");
    expect(await summary()).toEqual([0, 0]);
    expect(Object.values(await counters(surveyId)).flat()).toEqual([]);
  });

  test("is refused like an absent one and one out of reach", async () => {
    const respondentId = await start();
    const tried = await start(surveyId, { live: false });
    expect(await codeOf(erase(testId("absent")))).toBe("respondent_not_found");
    expect(await codeOf(erase("no id"))).toBe("respondent_not_found");
    expect(await codeOf(erase(respondentId, { surveyId: twin }))).toBe("respondent_not_found");
    expect(await codeOf(erase(respondentId, { workspaceId: testId("foreign") }))).toBe("survey_not_found");
    expect(await codeOf(erase(respondentId, { live: false }))).toBe("respondent_not_found");
    expect(await codeOf(erase(tried, { live: false }))).toBe("fine");
    expect(await codeOf(erase(respondentId))).toBe("fine");
    expect(await codeOf(erase(respondentId))).toBe("respondent_not_found");
    expect(Object.values(await counters(surveyId)).flat()).toEqual([]);
  });

  test("with full anonymity leaves the others' average time as it is", async () => {
    harness.survey.settings = { privacy: { anonymity: "full" } };
    const people: string[] = [];
    for (const seconds of [10, 20, 60]) {
      people.push(await start());
      harness.clock.advance(seconds * 1000);
      await harness.submit(whole(people.at(-1)!));
    }
    harness.clock.advance(13 * 3_600_000);
    await erase(people[2]!);
    const { summary: two } = await results(surveyId);
    expect(two).toMatchObject({ totalStarted: 2n, totalCompleted: 2n, averageCompletionSeconds: 30 });
    expect(two.completionTrend.map(({ completions }) => completions).filter(Boolean)).toEqual([2n]);
    await Promise.all([erase(people[0]!), erase(people[1]!)]);
    expect(Object.values(await counters(surveyId)).flat()).toEqual([]);
  });
});

test("after erasing anybody every figure is as if only the others had ever been there", async () => {
  const rating = fc.integer({ min: 1, max: 5 });
  const page = fc.oneof(
    fc.record({
      choice: fc.option(fc.subarray(items, { minLength: 1 })),
      number: fc.option(fc.integer({ min: -3, max: 3 })),
      rating: fc.option(rating),
      matrix: fc.option(
        fc.subarray(
          looped.matrix.rows!.map(({ id }) => id),
          { minLength: 1 },
        ),
      ),
    }),
    fc.record({ item: fc.constantFrom(...items), itemRating: fc.option(rating) }),
    fc.record({ text: fc.option(fc.constantFrom("a", "b")) }),
  );
  const person = fc.record({
    pages: fc.array(page, { maxLength: 4 }),
    completes: fc.boolean(),
    live: fc.integer({ min: 0, max: 4 }).map((one) => one > 0),
    erased: fc.boolean(),
  });
  const bodyOf = (respondentId: string, given: object) => {
    const { item, matrix, ...values } = given as { item?: string; matrix?: string[] | null } & Record<string, unknown>;
    const column = looped.matrix.columns![0]!.id;
    const responses = Object.entries(values).map(([name, value]) =>
      answerTo(looped[name as keyof typeof looped], value, item),
    );
    if (matrix) responses.push(answerTo(looped.matrix, Object.fromEntries(matrix.map((row) => [row, column]))));
    return { respondentId, responses, metadata: { complete: false } };
  };
  let answersErased = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(person, { minLength: 1, maxLength: 6 }), async (people) => {
      await harness.pool.query(`TRUNCATE ${tables.join(", ")}`);
      const erased: string[] = [];
      for (const { pages, completes, live, erased: isErased } of people) {
        // Who is erased was never in the twin.
        for (const survey of isErased ? [surveyId] : [surveyId, twin]) {
          const respondentId = await start(survey, { live });
          const told = { surveyId: survey, caller: harness.signed({ live }) };
          const saves = pages.map((given) => ({ body: bodyOf(respondentId, given), options: told }));
          const last = { body: { respondentId, responses: [], metadata: { complete: true } }, options: told };
          await harness.submitAll(completes ? [...saves, last] : saves);
          if (isErased) erased.push(respondentId);
          if (isErased && live) answersErased += pages.length;
        }
        harness.clock.advance(100_000);
      }
      await Promise.all(erased.map((respondentId) => erase(respondentId)));
      expect(await counters(surveyId)).toEqual(await counters(twin));
      const [whole, others] = [await results(surveyId), await results(twin)];
      const answered = whole.questionStats.filter(({ responseCount }) => responseCount > 0n);
      expect(whole.summary).toEqual(others.summary);
      const { total, answers } = await listOf(surveyId);
      expect([Number(total), answers.length]).toEqual(
        await listOf(twin).then((list) => [Number(list.total), list.answers.length]),
      );
      for (const { respondentId } of answers) expect(erased).not.toContain(respondentId);
      expect(answered).toEqual(others.questionStats.filter(({ responseCount }) => responseCount > 0n));
      // The live figures are the workspace's: those of both surveys.
      const { rows } = await harness.pool.query(
        `SELECT count(*)::int AS started, count(*) FILTER (WHERE completed_at IS NULL AND last_seen_at >=
           date_bin('15 s', $1::timestamptz - interval '5 min', '2000-01-01Z'))::int AS active
         FROM respondents WHERE NOT is_test`,
        [harness.clock.now().toISOString()],
      );
      expect(await summary()).toEqual([rows[0].started, rows[0].active]);
    }),
    { numRuns: 30 },
  );
  expect(answersErased).toBeGreaterThan(5);
});

describe("at the same moment", () => {
  test("submissions and a completion find a complete respondent, or none", async () => {
    for (let round = 0; round < 12; round += 1) {
      const respondentId = await start();
      await harness.submit({ ...whole(respondentId), metadata: { complete: false } });
      const page = { respondentId, pageId: pageIds.first };
      const work = [
        ...Array.from({ length: 6 }, (_, index) =>
          harness.submit({ ...page, responses: [answerTo(looped.number, index)] }),
        ),
        harness.submit(whole(respondentId)),
      ];
      const erasing = erase(respondentId);
      const more = Array.from({ length: 4 }, () => harness.submit(whole(respondentId)));
      const outcomes = await Promise.all([...work, ...more]);
      await erasing;
      for (const { code } of outcomes) expect(["submitted", "respondent_not_found"]).toContain(code);
    }
    expect(Object.values(await counters(surveyId)).flat()).toEqual([]);
    expect(await summary()).toEqual([0, 0]);
    const { rows } = await harness.pool.query("SELECT 1 FROM answer_sets UNION ALL SELECT 1 FROM respondents");
    expect(rows).toEqual([]);
    const { rows: told } = await harness.pool.query(
      `SELECT count(*) FILTER (WHERE type = 'response.completed')::int AS completed,
         count(*) FILTER (WHERE type = 'response.erased')::int AS erased FROM outbox_events`,
    );
    expect(told[0].completed).toBe(told[0].erased);
  });

  test("of many erasures one has the receipt; with a key it has it again", async () => {
    const [one, other] = [await start(), await start()];
    await harness.submitAll([{ body: whole(one) }, { body: whole(other) }]);
    const codes = await Promise.all(Array.from({ length: 10 }, () => codeOf(erase(one))));
    expect(codes.sort()).toEqual(["fine", ...Array.from({ length: 9 }, () => "respondent_not_found")]);

    const receipts: EraseRespondentResponse[] = [];
    const keyed = async () => {
      const receipt = await erase(other, { key: "once" });
      receipts.push(receipt);
    };
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => codeOf(keyed())));
    for (const code of outcomes) expect(["fine", "idempotency_in_progress"]).toContain(code);
    await keyed();
    expect(new Set(receipts.map((receipt) => receipt.answers))).toEqual(new Set([6]));
    expect(Object.values(await counters(surveyId)).flat()).toEqual([]);
  });
});

test("a kill -9 in the middle of an erasure undoes it, and a repetition erases the respondent", async () => {
  const respondentId = await start();
  await harness.submit(whole(respondentId));
  const before = await counters(surveyId);
  const { child, client } = await startProcess();
  // It has deleted the rows, and waits for a counter.
  const holder = await harness.pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("LOCK TABLE survey_counters IN EXCLUSIVE MODE");
    const options = callOptions({ signedCaller: harness.signed(), idempotency: idempotency("killed", null) });
    const lost = codeOf(client.eraseRespondent({ surveyId, respondentId }, options));
    const waiting = `SELECT 1 FROM ${ownLocks} WHERE relation = 'survey_counters'::regclass AND NOT granted`;
    await waitFor(async () => (await harness.sql(waiting)).length > 0, { describe: "the erasure in its middle" });
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await lost).not.toBe("fine");
  } finally {
    // Without its connection the lock ends.
    holder.release(true);
  }
  const gone = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  await waitFor(async () => (await harness.sql(gone)).length === 0, { describe: "the end of its transaction" });
  expect(await counters(surveyId)).toEqual(before);
  expect(await erase(respondentId, { key: "killed" })).toMatchObject({ answers: 6 });
  expect(Object.values(await counters(surveyId)).flat()).toEqual([]);
});

/** Another process of the service. Another program may take its port before it does: then it tries one more. */
async function startProcess(): Promise<{ child: ChildProcess; client: ReturnType<ResponseHarness["clientAt"]> }> {
  const entry = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  const port = await anyFreePort();
  const environment = { ...harness.environment, CANVASS_LOG_LEVEL: "fatal", CANVASS_RPC_PORT: String(port) };
  const child = spawn(process.execPath, [entry], { env: environment, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const client = harness.clientAt(`http://127.0.0.1:${port}`);
  const hasEnded = () => child.exitCode !== null;
  const isReady = async () => hasEnded() || (await codeOf(client.hasResponses({ surveyId }))) === "fine";
  await waitFor(isReady, { describe: "a start" });
  return hasEnded() ? await startProcess() : { child, client };
}
