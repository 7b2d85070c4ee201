import { fromBinary } from "@bufbuild/protobuf";
import { EventSchema } from "@canvass/proto/events";
import { callOptions } from "@canvass/rpc";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ratingQuestion, startHarness, surveyId, testId, type ResponseHarness } from "./harness.ts";

const morning = Date.parse("2026-03-02T08:07:13.421Z");
const epoch = Date.UTC(2020, 0, 1);
const people = Array.from({ length: 12 }, (_, place) => place);
const contactOf = (person: number) => testId(`contact${person}`);
let harness: ResponseHarness;
const respondents: string[] = [];

/** The moment an id claims. */
const momentOf = (id: string) => epoch + Number.parseInt(id.slice(0, 8), 36);
const own = (live = true) => callOptions({ signedCaller: harness.signed({ live }) });

// Twelve people start eleven minutes after one another, save a page, and complete in the same order; the last with a test token.
beforeAll(async () => {
  harness = await startHarness([[ratingQuestion("a", true)], [ratingQuestion("b", true)]]);
  harness.survey.settings = { privacy: { anonymity: "full", collectCountry: true } };
  for (const person of people) {
    const live = person !== people.at(-1);
    const told = { contactId: contactOf(person), country: "DE", metadataJson: "" };
    const at = (minutes: number) => harness.clock.set(new Date(morning + (person * 11 + minutes) * 60_000));
    at(0);
    const started = await harness.client.startRespondent({ surveyId, ...told }, own(live));
    const { respondentId } = started.respondent!;
    respondents.push(respondentId);
    for (const [minutes, name] of [
      [3, "a"],
      [7, "b"],
    ] as const) {
      at(minutes);
      const responses = [{ elementId: testId(name), value: 3 }];
      const pageId = testId(name === "a" ? "page1" : "page2");
      const options = { caller: harness.signed({ live }) };
      const { code } = await harness.submit({ respondentId, pageId, responses }, options);
      if (code !== "submitted") throw new Error(code);
    }
  }
}, 60_000);
afterAll(() => harness[Symbol.asyncDispose]());

test("no table keeps a contact, a country or a moment of who completed", async () => {
  const { rows: tables } = await harness.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
     AND table_name NOT IN ('_prisma_migrations', 'outbox_events', 'activity_slots')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await harness.pool.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${name}" t`);
    found.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  expect(found.filter((row) => row.startsWith("respondents "))).toHaveLength(people.length);
  for (const row of found) {
    expect(row).not.toMatch(/contact[0-9]|"country": "DE"/);
    // A day: nothing but midnight, in UTC or in the workspace's time zone.
    for (const [time] of row.matchAll(/T\d\d:\d\d:\d\d[^"]*/g)) expect(`${row} ${time}`).toMatch(/ T\d\d:00:00\+/);
  }
  const { rows: active } = await harness.pool.query(
    "SELECT sum(respondents)::int AS left FROM activity_slots GROUP BY starts_at",
  );
  for (const { left } of active) expect(left).toBe(0);
});

test("ids of respondents, answers and events tell neither moment nor order", async () => {
  const { rows } = await harness.pool.query<{ event_id: string; payload: Uint8Array }>(
    "SELECT event_id, payload FROM outbox_events WHERE type = 'response.completed'",
  );
  const events = new Map<string, string>();
  for (const { event_id, payload } of rows) {
    const { body } = fromBinary(EventSchema, payload);
    if (body.case !== "responseCompleted") throw new Error("no completion");
    expect(body.value).toMatchObject({ completedAt: "2026-03-02", timestamp: "2026-03-02T00:00:00.000Z" });
    events.set(body.value.responseId, event_id);
  }
  expect(events.size).toBe(people.length - 1);
  for (const ids of [respondents, respondents.flatMap((id) => events.get(id) ?? [])]) {
    for (const id of ids) expect(new Date(momentOf(id)).toISOString()).toMatch(/^2026-03-02T/);
    expect(ids).not.toEqual(ids.toSorted());
    // Moments of chance: within a minute of the true one are a few at most.
    const near = ids.filter((id, person) => Math.abs(momentOf(id) - morning - person * 660_000) < 60_000);
    expect(near.length).toBeLessThan(4);
  }
});

test("lists stand in the order of ids, and show days, no contact and no country", async () => {
  const listed = await harness.client.listRespondents({ surveyId, limit: 100, withAnswers: true }, own());
  expect(listed.respondents.map(({ respondentId }) => respondentId)).toEqual(respondents.toSorted());
  const midnight = BigInt(Date.parse("2026-03-02T00:00:00Z") / 1000);
  for (const { startedAt, completedAt, contactId, answers } of listed.respondents) {
    expect({ startedAt, completedAt, contactId }).toMatchObject({
      startedAt: { seconds: midnight, nanos: 0 },
      completedAt: "2026-03-02",
      contactId: "",
    });
    for (const { submittedAt } of answers) expect(submittedAt).toMatchObject({ seconds: midnight, nanos: 0 });
  }
  const { answers } = await harness.client.listAnswers({ filter: { surveyId }, limit: 100, page: 1 }, own());
  const ids = answers.map(({ answerId }) => answerId);
  expect(ids).toHaveLength(2 * people.length);
  expect(ids).toEqual(ids.toSorted());
  for (const person of people) {
    const { respondents: none } = await harness.client.listRespondents(
      { surveyId, limit: 10, contactId: contactOf(person) },
      own(),
    );
    expect(none).toEqual([]);
  }
  // A filter tells no more than the day either: within the day all or none start.
  for (const from of ["2026-03-02T08:30:00Z", "2026-03-02T09:30:00Z"]) {
    const time = { seconds: BigInt(Date.parse(from) / 1000), nanos: 0 };
    expect((await harness.client.listRespondents({ surveyId, limit: 100, from: time }, own())).respondents).toEqual([]);
  }
});

test("live figures count starts without a country, and nobody who completed as active", async () => {
  const { active, startedSinceMidnight, ...summary } = await harness.client.getLiveSummary({}, own());
  expect([Number(active), Number(startedSinceMidnight)]).toEqual([0, people.length - 1]);
  expect(
    JSON.stringify(summary, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value)),
  ).not.toContain("DE");
});
