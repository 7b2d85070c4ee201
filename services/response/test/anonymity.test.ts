import { fromBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { sqlFromPg } from "@canvass/postgres";
import { EventSchema } from "@canvass/proto/events";
import { callOptions } from "@canvass/rpc";
import { hash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { purges } from "../src/purges.ts";
import { readExportOptions } from "../src/domain/exports/export-options.ts";
import { findExportRows } from "../src/storage/exports/export-rows.ts";
import { ratingQuestion, startHarness, surveyId, testId, workspaceId, type ResponseHarness } from "./harness.ts";

const morning = Date.parse("2026-03-02T08:07:13.421Z");
const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const epoch = Date.UTC(2020, 0, 1);
const people = Array.from({ length: 18 }, (_, place) => place);
/** Every third leaves off after the first page. */
const leavesOff = (person: number) => person % 3 === 1;
const completing = people.filter((person) => !leavesOff(person));
const contactOf = (person: number) => testId(`contact${person}`);
const ratingOf = (person: number) => 1 + (person % 6);
const minutesOf = (person: number) => person * 11;
let harness: ResponseHarness;
const respondents: string[] = [];

/** The timestamp an id claims. */
const timestampOf = (id: string) => epoch + Number.parseInt(id.slice(0, 8), 36);
const own = (live = true) => callOptions({ signedCaller: harness.signed({ live }) });
const isLive = (person: number) => person !== people.at(-1);
const midnight = { seconds: BigInt(Date.parse("2026-03-02T00:00:00Z") / 1000), nanos: 0 };

// People start eleven minutes after one another, save a page, and complete in the same order. The last is a test.
beforeAll(async () => {
  harness = await startHarness([[ratingQuestion("a", true)], [ratingQuestion("b", true)]]);
  harness.survey.settings = { privacy: { anonymity: "full", collectCountry: true } };
  for (const person of people) {
    const told = { contactId: contactOf(person), country: "DE", metadataJson: "" };
    const at = (minutes: number) => harness.clock.set(new Date(morning + (minutesOf(person) + minutes) * 60_000));
    at(0);
    const started = await harness.client.startRespondent({ surveyId, ...told }, own(isLive(person)));
    const { respondentId } = started.respondent!;
    respondents.push(respondentId);
    for (const [minutes, name] of [
      [3, "a"],
      [7, "b"],
    ] as const) {
      if (name === "b" && leavesOff(person)) continue;
      at(minutes);
      const responses = [{ elementId: testId(name), value: ratingOf(person) }];
      const pageId = testId(name === "a" ? "page1" : "page2");
      const options = { caller: harness.signed({ live: isLive(person) }), key: `${respondentId} ${name}`, traceparent };
      const { code } = await harness.submit({ respondentId, pageId, responses }, options);
      if (code !== "submitted") throw new Error(code);
    }
  }
});
afterAll(() => harness[Symbol.asyncDispose]());

type Row = Record<string, unknown> & { exact_started_at?: string | null; exact_seen_at?: string | null };

/** All rows of all tables but those named, as JSON. */
async function allRows(but: string[]): Promise<{ table: string; row: Record<string, unknown> }[]> {
  const { rows: tables } = await harness.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
     AND table_name <> '_prisma_migrations' AND table_name <> ALL ($1)`,
    [but],
  );
  const found = tables.map(async ({ name }) => {
    const { rows } = await harness.pool.query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(t) AS row FROM "${name}" t`,
    );
    return rows.map(({ row }) => ({ table: name, row }));
  });
  return (await Promise.all(found)).flat();
}

/** Expects full hours only, as those of midnight in UTC or in the workspace's time zone. */
function expectOnlyDays(row: object): void {
  const text = JSON.stringify(row);
  for (const [time] of text.matchAll(/T\d\d:\d\d:\d\d[^"]*/g)) expect(`${text} ${time}`).toMatch(/ T\d\d:00:00\+/);
}

describe("while the day lasts", () => {
  test("no table keeps a contact or a country, nor a moment of who completed", async () => {
    // Kept for a day at most. Tests below are about the times in them.
    const rows = await allRows(["outbox_events", "activity_slots", "idempotency_records"]);
    expect(rows.filter(({ table }) => table === "respondents")).toHaveLength(people.length);
    for (const { table, row } of rows) {
      expect(JSON.stringify(row)).not.toMatch(/contact[0-9]|"country":"DE"/);
      const { exact_started_at: startedAt, exact_seen_at: seenAt, ...kept } = row as Row;
      expectOnlyDays({ table, ...kept });
      if (table !== "respondents") continue;
      const person = respondents.indexOf(String(row["respondent_id"]));
      const timestamps = [startedAt, seenAt].map((at) => at && Date.parse(at));
      const [begun, seen] = [0, 3].map((minutes) => morning + (minutesOf(person) + minutes) * 60_000);
      expect([person, ...timestamps]).toEqual([person, ...(leavesOff(person) ? [begun, seen] : [null, null])]);
    }
    const { rows: active } = await harness.pool.query<{ left: number }>(
      "SELECT sum(respondents)::int AS left FROM activity_slots",
    );
    expect(active[0]!.left).toBe(people.filter((person) => leavesOff(person) && isLive(person)).length);
  });

  test("ids of respondents, answers and events reveal neither time nor order", async () => {
    const { rows } = await harness.pool.query<{ event_id: string; payload: Uint8Array }>(
      "SELECT event_id, payload FROM outbox_events WHERE type = 'response.completed'",
    );
    const events = new Map<string, string>();
    for (const { event_id, payload } of rows) {
      const event = fromBinary(EventSchema, payload);
      const { body } = event;
      if (body.case !== "responseCompleted") throw new Error("no completion");
      // It would lead to the request, and so to its moment.
      expect(event.traceparent).toBe("");
      expect(body.value).toMatchObject({ completedAt: "2026-03-02", timestamp: "2026-03-02T00:00:00.000Z" });
      events.set(body.value.responseId, event_id);
    }
    expect(events.size).toBe(completing.filter(isLive).length);
    const { answers } = await harness.client.listAnswers({ filter: { surveyId }, limit: 100, page: 1 }, own());
    const answerOf = (id: string) => answers.find(({ respondentId }) => respondentId === id)!.answerId;
    for (const ids of [respondents, respondents.flatMap((id) => events.get(id) ?? []), respondents.map(answerOf)]) {
      for (const id of ids) expect(new Date(timestampOf(id)).toISOString()).toMatch(/^2026-03-02T/);
      expect(ids).not.toEqual(ids.toSorted());
      // The times are random: only a few are within a minute of the true one.
      const near = ids.filter(
        (id, person) => Math.abs(timestampOf(id) - morning - minutesOf(person) * 60_000) < 60_000,
      );
      expect(near.length).toBeLessThan(4);
    }
  });

  test("lists stand in the order of ids, and show days, no contact and no country", async () => {
    const listed = await harness.client.listRespondents({ surveyId, limit: 100, withAnswers: true }, own());
    expect(listed.respondents.map(({ respondentId }) => respondentId)).toEqual(respondents.toSorted());
    for (const { respondentId, startedAt, completedAt, contactId, answers } of listed.respondents) {
      const isLeft = leavesOff(respondents.indexOf(respondentId));
      expect({ startedAt, completedAt, contactId }).toMatchObject({
        startedAt: midnight,
        completedAt: isLeft ? "" : "2026-03-02",
        contactId: "",
      });
      for (const { submittedAt } of answers) expect(submittedAt).toMatchObject(midnight);
    }
    const { answers } = await harness.client.listAnswers({ filter: { surveyId }, limit: 100, page: 1 }, own());
    const ids = answers.map(({ answerId }) => answerId);
    expect(ids).toHaveLength(people.length + completing.length);
    expect(ids).toEqual(ids.toSorted());
  });

  test("no filter finds a contact, or separates the respondents of a day", async () => {
    const count = async (filter: object) =>
      (await harness.client.listRespondents({ surveyId, limit: 100, ...filter }, own())).respondents.length;
    for (const person of people) expect(await count({ contactId: contactOf(person) })).toBe(0);
    for (const at of ["2026-03-02T08:30:00Z", "2026-03-02T09:30:00Z"]) {
      const time = { seconds: BigInt(Date.parse(at) / 1000), nanos: 0 };
      expect([await count({ from: time }), await count({ to: time })]).toEqual([0, people.length]);
    }
  });

  test("from and to select the days of the workspace that begin between them", async () => {
    const inNewYork = callOptions({ signedCaller: harness.signed({ timeZone: "America/New_York" }) });
    const found = async (...days: [from: string, to: string]) => {
      const [from, to] = days.map((day) => new Date(`${day}T05:00:00Z`)) as [Date, Date];
      const between = { from: timestampFromDate(from), to: timestampFromDate(to) };
      const { respondents: listed } = await harness.client.listRespondents(
        { surveyId, limit: 100, ...between },
        inNewYork,
      );
      const [results] = await Array.fromAsync(
        harness.client.streamAggregation({ surveyId, filter: between }, inNewYork),
      );
      const options = readExportOptions(
        { format: "csv", includePartial: true, includeTest: true, from: from.toISOString(), to: to.toISOString() },
        "America/New_York",
      );
      const walk = { workspaceId, surveyId, options, startedUntil: new Date() };
      const exported = await findExportRows(sqlFromPg(harness.pool), walk, "");
      return [listed.length, Number(results!.summary!.totalStarted), exported.length];
    };
    expect(await found("2026-03-01", "2026-03-02")).toEqual([0, 0, 0]);
    expect(await found("2026-03-02", "2026-03-03")).toEqual([people.length, people.length - 1, people.length]);
    expect(await found("0001-01-01", "9999-12-31")).toEqual([people.length, people.length - 1, people.length]);
  });

  test("a start returns only the day, and cursors have no exact times", async () => {
    const { respondent } = await harness.client.startRespondent({ surveyId }, own(false));
    expect(respondent!.startedAt).toMatchObject(midnight);
    const page = await harness.client.listRespondents({ surveyId, limit: 3 }, own());
    const position = JSON.parse(Buffer.from(page.nextCursor, "base64url").toString("utf8", 16)) as unknown[];
    expect(position).toEqual([page.respondents.at(-1)!.respondentId]);
    const { nextCursor, answers } = await harness.client.listAnswers(
      { filter: { surveyId }, limit: 3, cursor: "" },
      own(),
    );
    const [time] = JSON.parse(Buffer.from(nextCursor, "base64url").toString("utf8", 16)) as number[];
    expect([answers.length, time]).toEqual([3, Date.parse("2026-03-02T00:00:00Z")]);
    await harness.pool.query("DELETE FROM respondents WHERE respondent_id = $1", [respondent!.respondentId]);
  });

  test("the digest in an idempotency record does not reveal a rating to one who tries all", async () => {
    const { rows } = await harness.pool.query<{ key: string; digest: Uint8Array }>(
      "SELECT key, body_sha256 AS digest FROM idempotency_records",
    );
    expect(rows).toHaveLength(people.length + completing.length);
    const digests = new Set(rows.map(({ digest }) => Buffer.from(digest).toString("hex")));
    expect(digests.size).toBe(rows.length);
    for (const respondentId of respondents) {
      for (const [name, value] of ["a", "b"].flatMap((each) => [1, 2, 3, 4, 5, 6].map((at) => [each, at] as const))) {
        const pageId = testId(name === "a" ? "page1" : "page2");
        const body = { respondentId, pageId, responses: [{ elementId: testId(name), value }] };
        expect(digests).not.toContain(hash("sha256", JSON.stringify(body), "hex"));
      }
    }
  });

  test("live figures count starts without a country, and no completed respondents as active", async () => {
    const { active, startedSinceMidnight, ...summary } = await harness.client.getLiveSummary({}, own());
    expect([Number(active), Number(startedSinceMidnight)]).toEqual([0, people.filter(isLive).length]);
    expect(
      JSON.stringify(summary, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value)),
    ).not.toContain("DE");
  });
});

describe("after two days", () => {
  const purgeAll = async () => {
    for (const { purge, keepMs } of purges) {
      await purge(sqlFromPg(harness.pool), new Date(harness.clock.now().getTime() - keepMs), 1_000);
    }
  };

  test("a respondent who continues a day later still has exact times, and a correct duration", async () => {
    harness.clock.set("2026-03-03T23:59:59Z");
    await purgeAll();
    const { rows } = await harness.pool.query("SELECT 1 FROM respondents WHERE exact_started_at IS NOT NULL");
    expect(rows).toHaveLength(people.filter(leavesOff).length);
  });

  test("no table has an exact time of a respondent, and the order of rows reveals nothing", async () => {
    harness.clock.set("2026-03-04T00:00:00Z");
    await purgeAll();
    for (const { table, row } of await allRows(["outbox_events", "idempotency_records"])) {
      expectOnlyDays({ table, ...row });
      if (table === "respondents") expect([row["exact_started_at"], row["exact_seen_at"]]).toEqual([null, null]);
    }
    const { rows } = await harness.pool.query<{ respondent_id: string; by: string }>(
      "SELECT respondent_id, xmin::text AS by FROM respondents WHERE completed_at IS NULL ORDER BY ctid",
    );
    expect(new Set(rows.map(({ by }) => by)).size).toBe(1);
  });

  test("a respondent who comes back completes, with the days between as its duration", async () => {
    harness.clock.set("2026-03-04T09:30:00Z");
    const before = await timeOf();
    const respondentId = respondents[people.find(leavesOff)!]!;
    const responses = [{ elementId: testId("b"), value: 2 }];
    expect((await harness.submit({ respondentId, responses })).code).toBe("submitted");
    const { rows } = await harness.pool.query("SELECT * FROM respondents WHERE respondent_id = $1", [respondentId]);
    const [from, to] = ["2026-03-02", "2026-03-04"].map((day) => new Date(`${day}T00:00:00Z`));
    const gone = { exact_started_at: null, exact_seen_at: null };
    expect(rows[0]).toMatchObject({ started_at: from, last_seen_at: to, completed_at: to, ...gone });
    expect((await timeOf()) - before).toBe(2 * 86_400_000);
  });

  const timeOf = async () => {
    const { rows } = await harness.pool.query<{ time: string }>(
      "SELECT sum(completion_milliseconds) AS time FROM survey_counters",
    );
    return Number(rows[0]!.time);
  };
});

test("rows of older processes, which kept moments as times, are shown as days and purged", async () => {
  const respondentId = testId("older");
  await harness.pool.query(
    `INSERT INTO respondents (workspace_id, survey_id, respondent_id, version_id, version_number, is_test, is_anonymous,
       started_at, last_seen_at) SELECT workspace_id, survey_id, $1, version_id, 1, false, true,
       '2026-03-01T10:11:12Z', '2026-03-01T10:13:14Z' FROM respondents LIMIT 1`,
    [respondentId],
  );
  const { respondent } = await harness.client.getRespondent({ surveyId, respondentId }, own());
  expect(respondent!.startedAt).toMatchObject({ seconds: BigInt(Date.parse("2026-03-01T00:00:00Z") / 1000), nanos: 0 });
  for (const { purge, keepMs } of purges) {
    await purge(sqlFromPg(harness.pool), new Date(harness.clock.now().getTime() - keepMs), 1_000);
  }
  const { rows } = await harness.pool.query(
    "SELECT started_at, last_seen_at FROM respondents WHERE respondent_id = $1",
    [respondentId],
  );
  const day = new Date("2026-03-01T00:00:00Z");
  expect(rows).toEqual([{ started_at: day, last_seen_at: day }]);
});

test("with partial anonymity no contact is kept, and times and country as usual", async () => {
  await using other = await startHarness([[ratingQuestion("a", true)]]);
  other.survey.settings = { privacy: { anonymity: "partial", collectCountry: true } };
  const told = { contactId: contactOf(1), country: "DE", metadataJson: "" };
  const options = callOptions({ signedCaller: other.signed() });
  const { respondent } = await other.client.startRespondent({ surveyId, ...told }, options);
  const { respondentId } = respondent!;
  await other.submit({ respondentId, responses: [{ elementId: testId("a"), value: 1 }] });
  const { rows } = await other.pool.query("SELECT * FROM respondents");
  const now = other.clock.now();
  expect(rows).toMatchObject([{ contact_id: "", country: "DE", started_at: now, completed_at: now }]);
  const listed = await other.client.listRespondents({ surveyId, limit: 10, contactId: contactOf(1) }, options);
  expect(listed.respondents).toEqual([]);
});

test("a respondent who started before the survey promised more privacy is refused and can start again", async () => {
  await using other = await startHarness([[ratingQuestion("a")]]);
  const options = callOptions({ signedCaller: other.signed() });
  const start = async (contactId: string) =>
    (await other.client.startRespondent({ surveyId, contactId }, options)).respondent!.respondentId;
  const [named, nameless] = [await start(contactOf(1)), await start("")];
  const answer = async (respondentId: string) => {
    const metadata = { complete: false };
    const outcome = await other.submit({
      respondentId,
      responses: [{ elementId: testId("a"), value: 1 }],
      metadata,
    });
    return "details" in outcome ? outcome.details : outcome.code;
  };
  const refused = { reason: "privacy_changed" };
  other.survey.settings = { privacy: { anonymity: "partial" } };
  expect(await answer(named)).toEqual(refused);
  expect(await answer(nameless)).toBe("submitted");
  other.survey.settings = { privacy: { anonymity: "full" } };
  expect(await answer(named)).toEqual(refused);
  expect(await answer(nameless)).toEqual(refused);
  expect(await answer(await start(contactOf(1)))).toBe("submitted");
});

test("answers that are stored while the privacy changes keep what their respondents were promised", async () => {
  await using other = await startHarness([[ratingQuestion("a", true)], [ratingQuestion("b", true)]]);
  const options = callOptions({ signedCaller: other.signed() });
  const promise = (anonymity: string) => (other.survey.settings = { privacy: { anonymity } });
  const start = async (contactId: string) =>
    (await other.client.startRespondent({ surveyId, contactId }, options)).respondent!.respondentId;
  const answer = async (respondentId: string, name: string) =>
    (await other.submit({ respondentId, responses: [{ elementId: testId(name), value: 1 }] })).code;
  promise("full");
  const nameless = await start(contactOf(1));
  expect(await answer(nameless, "a")).toBe("submitted");
  promise("none");
  const named = await start(contactOf(2));
  for (const respondentId of [nameless, named]) expect(await answer(respondentId, "a")).toBe("submitted");
  expect(await answer(nameless, "b")).toBe("submitted");
  promise("full");
  expect(await answer(named, "b")).toBe("survey_not_collecting");
  const rows = await other.sql(
    "SELECT respondent_id, contact_id, started_at, last_seen_at, completed_at FROM respondents ORDER BY is_anonymous",
  );
  const now = other.clock.now();
  const day = new Date(now.toISOString().slice(0, 10));
  expect(rows).toEqual([
    { respondent_id: named, contact_id: contactOf(2), started_at: now, last_seen_at: now, completed_at: null },
    { respondent_id: nameless, contact_id: "", started_at: day, last_seen_at: day, completed_at: day },
  ]);
});
