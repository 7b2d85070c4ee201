import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { beforeEach, afterAll, beforeAll, expect, test } from "vitest";
import { ratingQuestion, readAggregation, surveyId } from "./harness.ts";
import { startImportHarness, type ImportHarness } from "./import-harness.ts";

let harness: ImportHarness;
beforeAll(async () => {
  harness = await startImportHarness([[{ ...ratingQuestion("lunch"), name: "lunch" }]]);
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() =>
  harness.sql(`TRUNCATE respondents, answer_sets, survey_counters, question_counters, bucket_counters, start_days,
    number_counters, completion_slots, activity_slots, outbox_events, response_imports, staged_rows, jobs`),
);

const minute = 60_000;
const hour = 60 * minute;
const statuses = ["completed", "started", "completed", "screened_out", "completed"] as const;

interface Person {
  at: number;
  score: number;
  status: (typeof statuses)[number];
}

/** On both sides of each half hour, for two days and more around a time. */
function peopleAround(switchAt: number): Person[] {
  const starts = Array.from({ length: 150 }, (_, n) => switchAt + (n - 75) * 30 * minute);
  return starts
    .flatMap((at) => [at - 1, at])
    .map((at, n) => ({ at, score: (n % 6) + 1, status: statuses[n % statuses.length]! }));
}

/** A model of days that shares nothing with the product: calendars as `Intl` prints them. */
const printed = (timeZone: string) => {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
  const dayOf = (at: number) => format.format(at);
  const weekOf = (at: number) => {
    const day = new Date(`${dayOf(at)}T00:00:00Z`);
    return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * 24 * hour).toISOString().slice(0, 10);
  };
  return { day: dayOf, week: weekOf, month: (at: number) => `${dayOf(at).slice(0, 7)}-01` };
};

const csvOf = (people: readonly Person[]) =>
  [
    "startedAt,status,lunch",
    ...people.map(({ at, score, status }) => `${new Date(at).toISOString()},${status},${score}`),
  ].join("\n");

const meanOf = (people: readonly Person[]) => people.reduce((sum, { score }) => sum + score, 0) / people.length;
const ofScore = (people: readonly Person[]) =>
  [1, 2, 3, 4, 5, 6].map((score) => people.filter((each) => each.score === score).length);
const completedOf = (people: readonly Person[]) => people.filter(({ status }) => status === "completed");

interface Row {
  id: string;
  total: { respondents: number; weighted: number };
}
interface Point {
  from: string;
  respondents: number;
  value: number;
}

test.each([
  ["Europe/Berlin", "2026-03-29T01:00:00Z", 23],
  ["Europe/Berlin", "2026-10-25T01:00:00Z", 25],
  ["America/New_York", "2026-03-08T07:00:00Z", 23],
  ["America/New_York", "2026-11-01T06:00:00Z", 25],
  ["Australia/Lord_Howe", "2026-04-04T15:00:00Z", 24.5],
  ["Australia/Lord_Howe", "2026-10-03T15:30:00Z", 23.5],
])(
  "results of %s count the same people around the change of clocks at %s, a day of %d hours",
  async (timeZone, time, hours) => {
    const switchAt = Date.parse(time);
    const people = peopleAround(switchAt);
    harness.clock.set(new Date(switchAt + 10 * 24 * hour));
    expect(await harness.importFile(csvOf(people))).toMatchObject({ imported: people.length, failed: 0 });
    const tests = await harness.importFile(csvOf(people), {}, { live: false });
    expect(tests).toMatchObject({ imported: people.length });

    const model = printed(timeZone);
    const quarters = Array.from({ length: 400 }, (_, n) => switchAt + (n - 200) * 15 * minute);
    const [from, to] = [0, 1].map((after) => {
      const day = model.day(switchAt + after * 26 * hour);
      return quarters.find((at) => model.day(at) === day)!;
    }) as [number, number];
    expect((to - from) / hour).toBe(hours);
    const ofDay = people.filter(({ at }) => at >= from && at < to);

    const options = harness.as({ timeZone });
    const times = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const aggregation = (filter: object) =>
      readAggregation(harness.client, options, {
        filter: { from: timestampFromDate(new Date(from)), to: timestampFromDate(new Date(to)), ...filter },
      });
    const crosstab = async (body: object) => {
      const bodyJson = JSON.stringify({ rows: { name: "lunch" }, ...body });
      return JSON.parse((await harness.client.countCrosstab({ surveyId, bodyJson }, options)).crosstabJson);
    };
    for (const [completed, some] of [
      [undefined, ofDay],
      [true, completedOf(ofDay)],
    ] as const) {
      const filter = completed === undefined ? {} : { completed };
      const found = await aggregation(filter);
      expect([found.totalStarted, found.totalCompleted]).toEqual([some.length, completedOf(some).length].map(BigInt));
      const [{ responseCount, distributionJson }] = found.questionStats as [(typeof found.questionStats)[number]];
      expect(responseCount).toBe(BigInt(some.length));
      expect(Object.values(JSON.parse(distributionJson).counts)).toEqual(ofScore(some));
      const table = await crosstab({ ...times, ...filter });
      expect([table.matched, table.counted]).toEqual([some.length, some.length]);
      expect(table.rows.map(({ total }: Row) => total.respondents)).toEqual(ofScore(some));
      const targets = [1, 2, 3, 4, 5, 6].map((score) => ({ category: String(score), size: 1 }));
      const weighted = await crosstab({ ...times, ...filter, weights: [{ name: "lunch", targets }] });
      for (const { total } of weighted.rows as Row[]) expect(total.weighted).toBeCloseTo(some.length / 6, 3);
      const rows = await harness.rows({ ...times, ...(completed ? {} : { includePartial: true }) });
      expect(rows).toHaveLength(some.length);
    }
    for (const by of ["day", "week", "month"] as const) {
      const bodyJson = JSON.stringify({ name: "lunch", by, measure: "mean", timeZone });
      const found = JSON.parse((await harness.client.computeSeries({ surveyId, bodyJson }, options)).seriesJson);
      const expected = [...Map.groupBy(people, ({ at }) => model[by](at))].toSorted(([a], [b]) => (a < b ? -1 : 1));
      expect(found.points.map(({ from: first, respondents }: Point) => [first, respondents])).toEqual(
        expected.map(([first, some]) => [first, some.length]),
      );
      found.points.forEach(({ value }: Point, at: number) => expect(value).toBeCloseTo(meanOf(expected[at]![1]), 9));
    }
    const trend = (await readAggregation(harness.client, options)).completionTrend;
    const byDay = Map.groupBy(completedOf(people), ({ at }) => model.day(at));
    expect(
      trend.filter(({ completions }) => completions > 0n).map(({ date, completions }) => [date, Number(completions)]),
    ).toEqual([...byDay].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([day, some]) => [day, some.length]));
    const filtered = await readAggregation(harness.client, options, {
      filter: { from: timestampFromDate(new Date(0)) },
    });
    expect(filtered.completionTrend).toEqual(trend);
  },
);
