import { SubmitBatchResponseSchema } from "@canvass/proto/response";
import { callOptions } from "@canvass/rpc";
import { codeOf, idempotency, refusal } from "@canvass/service/testing";
import { toBinary } from "@bufbuild/protobuf";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, describe, expect, test } from "vitest";
import {
  definitionOf,
  numberQuestion,
  ratingQuestion,
  startHarness,
  surveyId,
  testId,
  workspaceId,
  type ResponseHarness,
} from "./harness.ts";

const harness = await sharedByFile(
  startHarness([[ratingQuestion("a", true), numberQuestion("n")], [ratingQuestion("b", true)]]),
);
beforeEach(async () => {
  Object.assign(harness.survey, { active: true, versionNumber: 1, settings: {} });
  harness.clock.set(new Date("2026-03-01T12:00:00Z"));
  await harness.pool.query(
    `TRUNCATE respondents, answer_sets, survey_counters, completion_slots, question_counters, bucket_counters,
       number_counters, start_days, activity_slots, idempotency_records, outbox_events`,
  );
});

type Person = Parameters<ResponseHarness["signed"]>[0];

interface Options {
  key?: string;
  person?: Person;
  body?: object;
  signal?: AbortSignal;
}

function send(submissions: unknown[], { key, person, body = { submissions }, signal }: Options = {}) {
  const headers = {
    signedCaller: harness.signed(person),
    requestId: "request1",
    signal,
    ...(key && { idempotency: idempotency(key, body) }),
  };
  return harness.client.submitBatch({ surveyId, bodyJson: JSON.stringify(body) }, callOptions(headers));
}

async function submit(submissions: unknown[], options?: Options) {
  const { submissions: results } = await send(submissions, options);
  return results.map(({ respondentId, error }) => ({
    respondentId,
    code: error?.code ?? "submitted",
    details: JSON.parse(error?.detailsJson || "{}") as Record<string, unknown>,
  }));
}

const codes = (results: { code: string }[]) => results.map(({ code }) => code);
const answers = (a: number, b?: number) => ({
  responses: [{ elementId: testId("a"), value: a }, ...(b === undefined ? [] : [{ elementId: testId("b"), value: b }])],
});
const many = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index));

async function counted() {
  const { rows } = await harness.pool.query(`SELECT
    (SELECT count(*)::int FROM respondents) AS respondents,
    (SELECT coalesce(sum(started), 0)::int FROM survey_counters) AS started,
    (SELECT coalesce(sum(completed), 0)::int FROM survey_counters) AS completed,
    (SELECT count(*)::int FROM answer_sets, jsonb_object_keys(answers)) AS answers,
    (SELECT coalesce(sum(responses), 0)::int FROM question_counters) AS counted,
    (SELECT count(*)::int FROM outbox_events) AS events`);
  return rows[0];
}

describe("each submission has its own outcome", () => {
  test("new respondents and known ones, whole and in parts; of a refused one nothing is left", async () => {
    const known = await harness.start();
    const results = await submit([
      answers(1, 2),
      { ...answers(3), respondentId: known, pageId: testId("page1") },
      answers(99, 2),
      { ...answers(1, 2), respondentId: testId("nobody") },
      { ...answers(1), pageId: testId("page1") },
      "nonsense",
      { ...answers(1, 2), respondentId: "" },
      { ...answers(1, 2), surprise: 1, idempotencyKey: "" },
      { ...answers(4, 5), respondentId: known },
      { responses: [] },
    ]);
    expect(codes(results)).toEqual([
      "submitted",
      "submitted",
      "validation_failed",
      "respondent_not_found",
      "submitted",
      "validation_failed",
      "validation_failed",
      "validation_failed",
      "submitted",
      "validation_failed",
    ]);
    expect(results.map(({ respondentId }) => respondentId)).toEqual([
      expect.stringMatching(/^[0-9a-z]{16}$/),
      known,
      "",
      testId("nobody"),
      expect.stringMatching(/^[0-9a-z]{16}$/),
      "",
      "",
      "",
      known,
      "",
    ]);
    expect(Object.keys(results[2]!.details)).toEqual(["responses.0.value"]);
    expect(Object.keys(results[7]!.details).sort()).toEqual(["idempotencyKey", "surprise"]);
    expect(await counted()).toEqual({ respondents: 3, started: 3, completed: 2, answers: 5, counted: 5, events: 2 });
    const own = callOptions({ signedCaller: harness.signed() });
    const { respondent } = await harness.client.getRespondent(
      { surveyId, respondentId: results[4]!.respondentId },
      own,
    );
    expect(respondent).toMatchObject({ status: "started", pageId: testId("page1") });
    expect(await harness.client.getLiveSummary({}, own)).toMatchObject({ startedSinceMidnight: 3n, active: 1n });
  });

  test("an invalid batch is refused as a whole, with all violations", async () => {
    const violationsOf = async (body: object) => Object.keys((await refusal(send([], { body }))).details).sort();
    expect(await violationsOf({})).toEqual(["submissions"]);
    expect(await violationsOf({ submissions: [], more: 1 })).toEqual(["more", "submissions"]);
    expect(await violationsOf({ submissions: many(501, () => answers(1, 2)) })).toEqual(["submissions"]);
    expect(await violationsOf([])).toEqual([expect.anything()]);
    const foreign = send([answers(1, 2)], { person: { workspaceId: testId("foreign") } });
    expect(await codeOf(foreign)).toBe("survey_not_found");
    expect(await counted()).toMatchObject({ respondents: 0 });
  });

  test("a survey that does not collect refuses each with the reason", async () => {
    const known = await harness.start();
    const both = [answers(1, 2), { ...answers(1, 2), respondentId: known }];
    for (const [change, reason] of [
      [{ active: false }, "inactive"],
      [{ versionNumber: 0 }, "not_published"],
      [{ settings: { schedule: { closesAt: "2026-03-01T00:00:00Z" } } }, "closed"],
    ] as const) {
      Object.assign(harness.survey, { active: true, versionNumber: 1, settings: {} }, change);
      const results = await submit(both);
      expect(results).toMatchObject(many(2, () => ({ code: "survey_not_collecting", details: { reason } })));
    }
    expect(await counted()).toMatchObject({ respondents: 1, answers: 0 });
  });

  test("a response limit that is reached in the middle refuses the rest, and no more of them start", async () => {
    harness.survey.settings = { collection: { responseLimit: 130 } };
    const results = await submit(many(250, () => answers(1, 2)));
    expect(codes(results)).toEqual([...many(130, () => "submitted"), ...many(120, () => "survey_not_collecting")]);
    expect(await counted()).toMatchObject({ respondents: 130, started: 130, completed: 130, events: 130 });
  });

  test("forty batches and a hundred submissions at once keep a limit exactly", async () => {
    harness.survey.settings = { collection: { responseLimit: 40 } };
    const people = await Promise.all(many(100, () => harness.start()));
    const outcomes = await Promise.all([
      ...people.map(async (respondentId) => [await harness.submit({ ...answers(1, 2), respondentId })]),
      ...many(40, () => submit([answers(1, 2), answers(2, 3)])),
    ]);
    expect(outcomes.flat().filter(({ code }) => code === "submitted")).toHaveLength(40);
    expect(await counted()).toMatchObject({ completed: 40, events: 40 });
  });

  test("tests count nowhere, and full anonymity holds", async () => {
    expect(codes(await submit([answers(1, 2)], { person: { live: false } }))).toEqual(["submitted"]);
    expect(await counted()).toEqual({ respondents: 1, started: 0, completed: 0, answers: 2, counted: 0, events: 0 });
    harness.survey.settings = { privacy: { anonymity: "full" } };
    harness.clock.set(new Date("2026-03-01T23:30:00Z"));
    const person = { timeZone: "America/New_York" };
    const [one] = await submit([answers(1, 2)], { person });
    const { rows } = await harness.pool.query("SELECT * FROM respondents WHERE respondent_id = $1", [
      one!.respondentId,
    ]);
    const day = new Date("2026-03-01T00:00:00Z");
    expect(rows[0]).toMatchObject({ started_at: day, last_seen_at: day, completed_at: day, is_anonymous: true });
    const { rows: days } = await harness.pool.query("SELECT starts_at FROM start_days");
    expect(days).toEqual([{ starts_at: new Date("2026-03-01T05:00:00Z") }]);
  });
});

describe("keys", () => {
  test("of items: a repeated batch returns the stored result of each, and tries refused ones again", async () => {
    const keyed = many(120, (index) => ({ ...answers(1, 2), idempotencyKey: `item-${index}` }));
    const batch = [...keyed, { ...answers(99), idempotencyKey: "bad" }];
    const first = await submit(batch);
    expect(codes(first)).toEqual([...many(120, () => "submitted"), "validation_failed"]);
    expect(await submit(batch.toReversed())).toEqual(first.toReversed());
    const mended = await submit([...keyed.slice(0, 2), { ...answers(2, 2), idempotencyKey: "bad" }]);
    expect(codes(mended)).toEqual(["submitted", "submitted", "submitted"]);
    const reused = [
      { ...answers(3, 3), idempotencyKey: "item-1" },
      { ...answers(77), idempotencyKey: "item-2" },
      { nonsense: 1, idempotencyKey: "item-3" },
    ];
    expect(codes(await submit(reused))).toEqual(many(3, () => "idempotency_key_reused"));
    expect(await counted()).toMatchObject({ respondents: 121, started: 121, completed: 121 });
    // Another token's keys are others.
    const other = await submit(keyed.slice(0, 1), { person: { tokenId: testId("token2") } });
    expect(other[0]!.respondentId).not.toBe(first[0]!.respondentId);
  });

  test("twice in one batch: the same content is one submission, another is refused", async () => {
    const twice = { ...answers(1, 2), idempotencyKey: "twice" };
    const bad = { ...answers(99), idempotencyKey: "bad" };
    const results = await submit([
      twice,
      twice,
      { ...answers(2, 2), idempotencyKey: "twice" },
      ...many(150, () => answers(1, 2)),
      twice,
      bad,
      bad,
    ]);
    expect(codes([...results.slice(0, 3), ...results.slice(-3)])).toEqual([
      "submitted",
      "submitted",
      "idempotency_key_reused",
      "submitted",
      "validation_failed",
      "validation_failed",
    ]);
    expect(new Set([results[0], results[1], results.at(-3)].map((one) => one!.respondentId)).size).toBe(1);
    expect(await counted()).toMatchObject({ respondents: 151 });
  });

  test("of the whole batch: the same response byte for byte, and nothing stored twice", async () => {
    const batch = [answers(1, 2), answers(99), { ...answers(3, 4), idempotencyKey: "own" }];
    const first = await send(batch, { key: "whole" });
    harness.survey.active = false;
    const again = await send(batch, { key: "whole" });
    expect(toBinary(SubmitBatchResponseSchema, again)).toEqual(toBinary(SubmitBatchResponseSchema, first));
    expect(await codeOf(send([answers(1, 2)], { key: "whole" }))).toBe("idempotency_key_reused");
    expect(await counted()).toMatchObject({ respondents: 2, completed: 2 });
  });

  test("repeating an interrupted batch stores the rest, and not the first part again", async () => {
    const batch = many(300, () => answers(1, 2));
    await harness.pool.query(`
      CREATE FUNCTION lose_whole() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF NEW.key = 'cut' THEN RAISE EXCEPTION 'lost'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER lose BEFORE INSERT ON idempotency_records FOR EACH ROW EXECUTE FUNCTION lose_whole()`);
    try {
      // All parts are stored, and the record of the whole is lost.
      expect(await codeOf(send(batch, { key: "cut" }))).toBe("internal_error");
    } finally {
      await harness.pool.query("DROP TRIGGER lose ON idempotency_records; DROP FUNCTION lose_whole");
    }
    expect(await counted()).toMatchObject({ respondents: 300 });
    expect(codes(await submit(batch, { key: "cut" }))).toEqual(many(300, () => "submitted"));
    expect(await counted()).toMatchObject({ respondents: 300, completed: 300, events: 300 });

    // All its parts but the first wait for this lock.
    const holder = await harness.pool.connect();
    await holder.query("SELECT pg_advisory_lock(7)");
    await harness.pool.query(`
      CREATE SEQUENCE parts;
      CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF nextval('parts') > 1 THEN PERFORM pg_advisory_xact_lock_shared(7); END IF; RETURN NULL; END $$;
      CREATE TRIGGER held BEFORE INSERT ON answer_sets FOR EACH STATEMENT EXECUTE FUNCTION hold()`);
    const leaving = new AbortController();
    const gone = codeOf(
      send(
        many(500, () => answers(2, 2)),
        { key: "gone", signal: leaving.signal },
      ),
    );
    await expect.poll(async () => (await counted()).respondents).toBeGreaterThan(300);
    leaving.abort();
    expect(await gone).not.toBe("fine");
    await holder.query("SELECT pg_advisory_unlock(7)");
    holder.release();
    await harness.pool.query("DROP TRIGGER held ON answer_sets; DROP FUNCTION hold; DROP SEQUENCE parts");
    await expect
      .poll(async () =>
        codeOf(
          send(
            many(500, () => answers(2, 2)),
            { key: "gone" },
          ),
        ),
      )
      .toBe("fine");
    expect(await counted()).toMatchObject({ respondents: 800, completed: 800, events: 800 });
  });

  test("of ten simultaneous requests one stores, and the others wait or are told to retry", async () => {
    const batch = many(150, () => answers(1, 2));
    const outcomes = await Promise.all(many(10, () => codeOf(send(batch, { key: "at once" }))));
    for (const code of outcomes) expect(["fine", "idempotency_in_progress"]).toContain(code);
    expect(await counted()).toMatchObject({ respondents: 150, completed: 150, events: 150 });
  });
});

describe("beside others", () => {
  test("batches over the same respondents in opposite order all end", async () => {
    harness.survey.settings = { collection: { editAfterSubmit: "always" } };
    const people = await Promise.all(many(120, () => harness.start()));
    const order = people.map((respondentId) => ({ ...answers(1, 2), respondentId }));
    // Batches of one workspace take turns; page saves and other processes do not.
    await using _second = await harness.startAnother({ now: harness.clock.now });
    const all = await Promise.all(
      many(8, (index) => {
        const batch = order.map((one) => ({ ...one, ...answers(index % 6 || 1, 2) }));
        const sorted = index % 2 === 0 ? batch : batch.toReversed();
        const other = callOptions({ signedCaller: harness.signed() });
        if (index < 4) return submit(sorted);
        return harness
          .clientAt(_second.url)
          .submitBatch({ surveyId, bodyJson: JSON.stringify({ submissions: sorted }) }, other)
          .then(({ submissions }) => submissions.map(({ error }) => ({ code: error?.code ?? "submitted" })));
      }),
    );
    expect(new Set(codes(all.flat()))).toEqual(new Set(["submitted"]));
    expect(await counted()).toEqual({
      respondents: 120,
      started: 120,
      completed: 120,
      answers: 240,
      counted: 240,
      events: 120,
    });
  });

  test("while a workspace floods with the largest batches, another's page saves come between their parts", async () => {
    const elsewhere = { workspaceId: testId("elsewhere") };
    harness.survey.others.add(testId("others"));
    const options = callOptions({ signedCaller: harness.signed(elsewhere) });
    const { respondent } = await harness.client.startRespondent({ surveyId: testId("others") }, options);
    const body = { ...answers(1), respondentId: respondent!.respondentId, pageId: testId("page1") };
    const large = many(500, () => ({ ...answers(1, 2), metadata: { note: "x".repeat(1_900) } }));
    const underWay = new Set<Promise<unknown>>();
    const flood = many(4, () => {
      const batch = submit(large).finally(() => underWay.delete(batch));
      underWay.add(batch);
      return batch;
    });
    let saved = 0;
    while (underWay.size > 0) {
      const outcome = await harness.submit(body, { caller: harness.signed(elsewhere), surveyId: testId("others") });
      expect(outcome.code).toBe("submitted");
      saved += 1;
    }
    // The batches run one after the other: nobody waited for one of them to end.
    expect(saved).toBeGreaterThan(4);
    expect(new Set(codes((await Promise.all(flood)).flat()))).toEqual(new Set(["submitted"]));
    expect((await harness.sql("SELECT 1 FROM respondents WHERE workspace_id = $1", [workspaceId])).length).toBe(2_000);
  });

  test("the violations of the worst batch fit into its response", async () => {
    const worst = many(400, () => ({ responses: many(400, () => ({})) }));
    const results = await submit(worst);
    expect(new Set(codes(results))).toEqual(new Set(["validation_failed"]));
    expect(JSON.stringify(results).length).toBeLessThan(400_000);
  });

  test("violations in words of three bytes a character take no more room than others", async () => {
    const must = { elementId: testId("n"), operator: "at_most" as const, value: 10 };
    const strict = { ...numberQuestion("n"), logic: { constraints: [{ must, message: "字".repeat(500) }] } };
    harness.survey.versions.set(2, definitionOf([[strict]]));
    harness.survey.versionNumber = 2;
    const { submissions } = await send(many(400, () => ({ responses: [{ elementId: testId("n"), value: 11 }] })));
    expect(submissions[0]!.error!.detailsJson).toContain("字".repeat(500));
    const bytes = submissions.reduce((sum, { error }) => sum + Buffer.byteLength(error!.detailsJson), 0);
    // Once the 128 KiB are taken, each still names how many violations it has.
    expect(bytes).toBeLessThan(131_072 + 400 * 200);
  });
});
