import { ResultsOperatorService, type CounterDifference } from "@canvass/proto/response-operator";
import { callOptions, type RpcClient } from "@canvass/rpc";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  choiceQuestion,
  definitionOf,
  numberQuestion,
  operatorKey,
  ratingQuestion,
  readAggregation,
  startHarness,
  surveyId,
  testId,
  workspaceId,
  type ResponseHarness,
} from "./harness.ts";

let harness: ResponseHarness;
let operator: RpcClient<typeof ResultsOperatorService>;
beforeAll(async () => {
  const [rating, number] = [ratingQuestion("a"), numberQuestion("n")];
  const choice = choiceQuestion("c", ["red", "green", "blue"]);
  harness = await startHarness([[rating, number], [choice]]);
  // Version 2 lacks the rating question, and one of its choices is retired.
  const choices = choice.choices!.map((one, index) => ({ ...one, retired: index === 0 }));
  harness.survey.versions.set(2, definitionOf([[number], [{ ...choice, choices }]]));
  operator = harness.clientOf(ResultsOperatorService, { operatorKey });
});
afterAll(() => harness[Symbol.asyncDispose]());

const tables = ["survey_counters", "question_counters", "bucket_counters", "number_counters", "completion_slots"];

beforeEach(async () => {
  harness.survey.settings = { collection: { editAfterSubmit: "always" } };
  harness.survey.versionNumber = 1;
  await harness.pool.query(`TRUNCATE respondents, answer_sets, ${tables.join(", ")}`);
});

interface Verified {
  respondents: number;
  answers: number;
  differing: number;
  timeUnknown: boolean;
  repaired: boolean;
  differences: CounterDifference[];
}

async function verify(repair = false): Promise<Verified> {
  const request = { workspaceId, surveyId, timeZone: "Europe/Berlin", repair };
  const chunks = await Array.fromAsync(operator.verifyResults(request));
  const { respondents, answers, outcome } = chunks.at(-1)!;
  return {
    respondents: Number(respondents),
    answers: Number(answers),
    differing: Number(outcome!.differing),
    timeUnknown: outcome!.timeUnknown,
    repaired: outcome!.repaired,
    differences: chunks.flatMap(({ differences }) => differences),
  };
}

const results = () => readAggregation(harness.client, callOptions({ signedCaller: harness.signed() }));

const anyValue = fc.record({
  a: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  n: fc.option(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { nil: undefined }),
  c: fc.option(
    fc.subarray(["red", "green", "blue"]).map((names) => names.map(testId)),
    { nil: undefined },
  ),
});
const anyStep = fc.record({
  person: fc.nat(9),
  value: anyValue,
  complete: fc.boolean(),
  erase: fc.nat(9).map((one) => one === 0),
  minutes: fc.nat(2_000),
});
const anyPerson = fc.record({ live: fc.boolean(), version: fc.constantFrom(1, 2) });

type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

type Person = typeof anyPerson extends fc.Arbitrary<infer T> ? T : never;

/**
 * Submits answers, changes, retractions and erasures by respondents of two versions. An empty choice retracts its
 * answer. Submissions that are refused, such as those of erased respondents, change nothing.
 */
async function play(people: Person[], steps: Step[]): Promise<void> {
  const started: string[] = [];
  for (const { live: isLive, version } of people) {
    harness.survey.versionNumber = version;
    started.push(await harness.start({ live: isLive }));
  }
  const erased = new Set<number>();
  for (const { person: index, value: values, complete, erase, minutes } of steps) {
    harness.clock.advance(minutes * 60_000);
    const at = index % people.length;
    const caller = harness.signed({ live: people[at]!.live });
    if (erase && !erased.has(at)) {
      const request = { surveyId, respondentId: started[at]! };
      await harness.client.eraseRespondent(request, callOptions({ signedCaller: caller }));
      erased.add(at);
    }
    const responses = Object.entries(values).flatMap(([name, given]) =>
      given === undefined || (name === "a" && people[at]!.version === 2)
        ? []
        : [{ elementId: testId(name), value: given }],
    );
    if (responses.length === 0) continue;
    const body = { respondentId: started[at], responses, metadata: { complete } };
    await harness.submit(body, { caller });
  }
}

const anyCorruption = fc.record({
  table: fc.constantFrom(...tables),
  how: fc.constantFrom("add", "delete"),
  by: fc.integer({ min: 1, max: 50 }),
  row: fc.nat(),
});
type Corruption = typeof anyCorruption extends fc.Arbitrary<infer T> ? T : never;

const columns: Record<string, string[]> = {
  survey_counters: ["started", "completed", "completion_milliseconds", "test_answers"],
  question_counters: ["responses", "respondents", "sum"],
  bucket_counters: ["count"],
  number_counters: ["count"],
  completion_slots: ["completions"],
};

/** Changes or deletes one row of a counter table. Does nothing if the table is empty. */
async function corrupt({ table, how, by, row }: Corruption) {
  const { rows } = await harness.pool.query<{ ctid: string }>(`SELECT ctid::text FROM ${table} ORDER BY ctid`);
  if (rows.length === 0) return;
  const { ctid } = rows[row % rows.length]!;
  const column = columns[table]![row % columns[table]!.length]!;
  const change = how === "add" ? `UPDATE ${table} SET ${column} = ${column} + ${by}` : `DELETE FROM ${table}`;
  await harness.pool.query(`${change} WHERE ctid = '${ctid}'::tid`);
}

const keyColumns: Record<string, string> = {
  survey_counters: "1",
  question_counters: "question_id",
  bucket_counters: "question_id, bucket",
  number_counters: "question_id, number",
  completion_slots: "starts_at",
};

/** Returns the sums of all counter tables as JSON. */
async function totals(): Promise<string> {
  const parts = [];
  for (const table of tables) {
    const sums = columns[table]!.map((column) => `sum(${column})::text AS ${column}`).join(", ");
    const by = keyColumns[table]!;
    const { rows } = await harness.pool.query(
      `SELECT ${by}, ${sums} FROM ${table} GROUP BY ${by}
       HAVING ${columns[table]!.map((column) => `sum(${column}) <> 0`).join(" OR ")} ORDER BY ${by}`,
    );
    parts.push(rows);
  }
  return JSON.stringify(parts);
}

test("after any answers, changes, retractions and erasures, a recount equals the counters; it finds and repairs falsified ones", async () => {
  const people = fc.array(anyPerson, { minLength: 1, maxLength: 4 });
  const steps = fc.array(anyStep, { maxLength: 16 });
  const corruptions = fc.array(anyCorruption, { minLength: 1, maxLength: 4 });
  let wrong = 0;
  await fc.assert(
    fc.asyncProperty(people, steps, corruptions, async (given, walked, falsified) => {
      await harness.pool.query(`TRUNCATE respondents, answer_sets, ${tables.join(", ")}`);
      await play(given, walked);
      const right = await totals();
      expect(await verify(true)).toMatchObject({ differing: 0, differences: [], repaired: false });
      for (const each of falsified) await corrupt(each);
      const isWrong = (await totals()) !== right;
      if (isWrong) wrong += 1;
      const found = await verify();
      expect([found.differing > 0, found.differences.length > 0]).toEqual([isWrong, isWrong]);
      // Without `repair`, nothing changes.
      expect(await verify()).toEqual(found);
      expect(await verify(true)).toMatchObject({ differing: found.differing, repaired: isWrong });
      expect(await totals()).toBe(right);
      expect(await verify()).toMatchObject({ differing: 0 });
    }),
    { numRuns: 25 },
  );
  expect(wrong).toBeGreaterThan(5);
});

test("a repair is exact while answers come in", async () => {
  const ids: string[] = [];
  for (let index = 0; index < 20; index += 1) ids.push(await harness.start());
  const answer = (respondentId: string, a: number) =>
    harness.submit({
      respondentId,
      responses: [
        { elementId: testId("a"), value: a },
        { elementId: testId("n"), value: a },
      ],
    });
  await Promise.all(ids.map((id) => answer(id, 2)));
  await harness.pool.query("UPDATE question_counters SET responses = responses + 7, sum = sum - 5");
  await harness.pool.query("DELETE FROM bucket_counters");
  await harness.pool.query("UPDATE number_counters SET count = count + 3");
  const answering = (async () => {
    for (let round = 0; round < 15; round += 1) await Promise.all(ids.map((id) => answer(id, (round % 6) + 1)));
  })();
  expect(await verify(true)).toMatchObject({ repaired: true, respondents: 20, answers: 40 });
  await answering;
  expect(await verify()).toMatchObject({ differing: 0, differences: [] });
  expect((await results()).questionStats.map(({ responseCount }) => responseCount)).toEqual([20n, 20n, 0n]);
});

test("a difference has the counter, its place, the recounted value (`standing`) and the stored one (`counted`)", async () => {
  const respondentId = await harness.start();
  await harness.submit({
    respondentId,
    responses: [
      { elementId: testId("a"), value: 2 },
      { elementId: testId("n"), value: 1.5 },
    ],
  });
  await harness.pool.query("UPDATE number_counters SET count = count * 4");
  await harness.pool.query("UPDATE survey_counters SET started = started * 3");
  const { differences } = await verify();
  expect(differences).toMatchObject([
    { counter: "survey_counters.started", standing: "1", counted: "3", questionId: "" },
    { counter: "number_counters.count", questionId: testId("qn"), number: 1.5, standing: "1", counted: "4" },
  ]);
});

test("with full anonymity everything is recounted except durations", async () => {
  harness.survey.settings = { privacy: { anonymity: "full" } };
  const respondentId = await harness.start();
  harness.clock.advance(60_000);
  const done = await harness.submit({
    respondentId,
    responses: [{ elementId: testId("a"), value: 2 }],
    metadata: { complete: true },
  });
  expect(done).toMatchObject({ status: "completed" });
  expect(await verify()).toMatchObject({ differing: 0, timeUnknown: true });
  await harness.pool.query("UPDATE completion_slots SET completions = 5");
  expect(await verify(true)).toMatchObject({ differing: 1, repaired: true });
  expect(await verify()).toMatchObject({ differing: 0 });
});

test("only operators can verify results, one at a time, and only of surveys that exist", async () => {
  const request = { workspaceId, surveyId, timeZone: "UTC" };
  const asPeer = harness.clientOf(ResultsOperatorService);
  const codeOf = (client: typeof operator, given = request) =>
    Array.fromAsync(client.verifyResults(given)).then(
      () => "verified",
      ({ code }: { code: string }) => code,
    );
  expect(await codeOf(asPeer)).toBe("unauthorized");
  expect(await codeOf(operator, { ...request, surveyId: testId("other") })).toBe("survey_not_found");
  expect(await codeOf(operator, { ...request, timeZone: "Mars" })).toBe("validation_failed");
  // Holds the lock of a running recount.
  await harness.pool.query("SELECT pg_advisory_lock(hashtextextended($1, 1))", [`recount ${workspaceId} ${surveyId}`]);
  expect(await codeOf(operator)).toBe("service_unavailable");
});
