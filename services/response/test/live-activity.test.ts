import { callOptions } from "@canvass/rpc";
import fc from "fast-check";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { ratingQuestion, startHarness, surveyId, testId, type ResponseHarness } from "./harness.ts";

const harness = await sharedByFile(startHarness([[ratingQuestion("a", true)], [ratingQuestion("b", true)]]));
beforeEach(async () => {
  harness.survey.settings = {};
  harness.clock.set(new Date("2026-03-01T12:00:00Z"));
  await harness.pool.query("TRUNCATE respondents, answer_sets, survey_counters, start_days, activity_slots");
});

type Person = Parameters<ResponseHarness["signed"]>[0];

async function start(country = "", person?: Person): Promise<string> {
  const options = callOptions({ signedCaller: harness.signed(person) });
  return (await harness.client.startRespondent({ surveyId, country }, options)).respondent!.respondentId;
}

async function summary(person?: Person) {
  const live = await harness.client.getLiveSummary({}, callOptions({ signedCaller: harness.signed(person) }));
  const countries = live.byCountry.map(({ countryCode, count }) => [countryCode, Number(count)]);
  return { today: Number(live.startedSinceMidnight), active: Number(live.active), countries };
}

const page = (respondentId: string) => ({
  respondentId,
  pageId: testId("page1"),
  responses: [{ elementId: testId("a"), value: 1 }],
});
const whole = (respondentId: string) => ({
  respondentId,
  responses: ["a", "b"].map((name) => ({ elementId: testId(name), value: 2 })),
});
const minutes = (count: number) => harness.clock.advance(count * 60_000);

test("who started and is not done is active for five minutes after each request that is stored", async () => {
  expect(await summary()).toEqual({ today: 0, active: 0, countries: [] });
  const one = await start();
  const two = await start();
  expect(await summary()).toEqual({ today: 2, active: 2, countries: [["ZZ", 2]] });
  minutes(4);
  await harness.submit(page(one));
  await harness.submit({ respondentId: two, responses: [{ elementId: testId("a"), value: 99 }] });
  minutes(1);
  expect((await summary()).active).toBe(2);
  harness.clock.advance(15_000);
  expect((await summary()).active).toBe(1);
  await harness.submit(whole(one));
  expect(await summary()).toMatchObject({ today: 2, active: 0 });
  await harness.submit(page(two));
  expect((await summary()).active).toBe(1);
  // A change after completion is no activity.
  harness.survey.settings = { collection: { editAfterSubmit: "always" } };
  await harness.submit({ ...page(one), responses: [{ elementId: testId("a"), value: 3 }] });
  expect((await summary()).active).toBe(1);
});

test("days are the workspace's, also where the clocks change", async () => {
  // Berlin is at UTC+1 until 29 March 2026, 01:00Z, and at UTC+2 from then on.
  for (const at of ["2026-03-28T22:59:59.999Z", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59.999Z"]) {
    harness.clock.set(new Date(at));
    await start();
  }
  expect((await summary()).today).toBe(2);
  harness.clock.set(new Date("2026-03-29T22:00:00Z"));
  expect((await summary()).today).toBe(0);
  // The day that has 25 hours.
  for (const at of ["2026-10-24T21:59:59Z", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z"]) {
    harness.clock.set(new Date(at));
    await start();
  }
  expect((await summary()).today).toBe(2);
  harness.clock.set(new Date("2026-10-25T23:00:00Z"));
  expect((await summary()).today).toBe(0);
});

test("countries are counted where the survey collects them", async () => {
  for (const country of ["DE", "FR", "DE", "", "Germany"]) await start(country);
  harness.survey.settings = { privacy: { collectCountry: false } };
  await start("DE");
  harness.survey.settings = { privacy: { anonymity: "full" } };
  await start("FR");
  expect(await summary()).toMatchObject({
    today: 7,
    countries: [
      ["ZZ", 4],
      ["DE", 2],
      ["FR", 1],
    ],
  });
  const { rows } = await harness.pool.query("SELECT country FROM respondents WHERE country <> '' ORDER BY country");
  expect(rows.map(({ country }) => country)).toEqual(["DE", "DE", "FR"]);
});

test("tests and other workspaces are left out", async () => {
  await harness.submit(page(await start("DE", { live: false })));
  expect(await summary()).toEqual({ today: 0, active: 0, countries: [] });
  await start();
  expect(await summary({ live: false })).toMatchObject({ today: 1, active: 1 });
  expect(await summary({ workspaceId: testId("foreign") })).toMatchObject({ today: 0, active: 0 });
});

test("a day of full anonymity shows no more than the day", async () => {
  harness.survey.settings = { privacy: { anonymity: "full" } };
  harness.clock.set(new Date("2026-03-01T17:21:33Z"));
  await harness.submit(whole(await start()));
  const { rows } = await harness.pool.query("SELECT starts_at FROM start_days");
  expect(rows).toEqual([{ starts_at: new Date("2026-02-28T23:00:00Z") }]);
  expect(await summary()).toMatchObject({ today: 1, active: 0 });
});

test("after anything people do the counters are what a recount of the respondents finds", async () => {
  const step = fc.oneof(
    fc.record({ does: fc.constant("start" as const), country: fc.constantFrom("", "DE", "FR"), live: fc.boolean() }),
    fc.record({ does: fc.constantFrom("save" as const, "complete" as const), who: fc.nat() }),
    fc.record({
      does: fc.constant("wait" as const),
      ms: fc.oneof(fc.nat(40_000), fc.nat(400_000), fc.nat(50_000_000)),
    }),
  );
  let saves = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 12 }), async (rounds) => {
      await harness.pool.query("TRUNCATE respondents, answer_sets, start_days, activity_slots");
      const people: string[] = [];
      for (const round of rounds) {
        const bodies = [];
        for (const action of round) {
          if (action.does === "wait") harness.clock.advance(action.ms);
          else if (action.does === "start") people.push(await start(action.country, { live: action.live }));
          else if (people.length > 0) {
            const respondentId = people[action.who % people.length]!;
            bodies.push({ body: action.does === "save" ? page(respondentId) : whole(respondentId) });
          }
        }
        if (bodies.length > 0) await harness.submitAll(bodies);
        saves += bodies.length;
        expect(await summary()).toEqual(await recount());
      }
    }),
    { numRuns: 25 },
  );
  expect(saves).toBeGreaterThan(10);
});

async function recount() {
  const now = harness.clock.now().toISOString();
  const { rows } = await harness.pool.query(
    `SELECT country, today, active FROM (SELECT coalesce(nullif(country, ''), 'ZZ') AS country,
       started_at >= date_trunc('day', $1::timestamptz, 'Europe/Berlin') AS today,
       completed_at IS NULL AND last_seen_at >= date_bin('15 s', $1::timestamptz - interval '5 min', '2000-01-01Z') AS active
     FROM respondents WHERE NOT is_test) AS r`,
    [now],
  );
  const counts = Map.groupBy(
    rows.filter(({ today }) => today),
    ({ country }) => country as string,
  );
  const countries = [...counts].map(([country, of]): [string, number] => [country, of.length]);
  countries.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const today = countries.reduce((sum, [, count]) => sum + count, 0);
  return { today, active: rows.filter(({ active }) => active).length, countries };
}

test("what 1,000 people who answer leave to be read is a bounded number of rows, purged when it is old", async () => {
  for (let wave = 0; wave < 25; wave += 1) {
    const people = await Promise.all(Array.from({ length: 40 }, (_, index) => start(["DE", "FR", ""][index % 3])));
    await harness.submitAll(people.map((respondentId) => ({ body: page(respondentId) })));
    harness.clock.advance(12_000);
  }
  expect(await summary()).toMatchObject({ today: 1_000, active: 1_000 });
  const rowsOf = async (table: string) => (await harness.pool.query(`SELECT 1 FROM ${table}`)).rowCount!;
  expect(await rowsOf("activity_slots")).toBeLessThanOrEqual(16 * 21);
  expect(await rowsOf("start_days")).toBeLessThanOrEqual(16 * 3);
  minutes(3 * 24 * 60);
  await using _second = await harness.startAnother({ now: harness.clock.now, purgeMs: 20 });
  await expect.poll(async () => (await rowsOf("activity_slots")) + (await rowsOf("start_days"))).toBe(0);
});
