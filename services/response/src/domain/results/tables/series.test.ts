import { buildQuestions, type Question, type SurveyDefinition } from "@canvass/questions";
import { expect, test } from "vitest";
import { computeSeries, type SeriesInput } from "./series.ts";
import { bucketOf, bucketsBetween } from "./time-buckets.ts";
import type { TabledRespondents } from "./value-of.ts";

let lastId = 0;
const newId = () => String((lastId += 1)).padStart(16, "0");
const built = buildQuestions([{ type: "nps", text: "x", subject: "us" }] as never, newId);
const question: Question = "questions" in built ? built.questions[0]!.question : ({} as never);
const definition = {
  pages: [{ pageId: newId(), elements: [question], loop: null, skipLogic: [] }],
} as unknown as SurveyDefinition;

const at = (startedAt: string, score: number | null, isAnonymous = false): TabledRespondents => ({
  count: 1,
  definition,
  answers: score === null ? {} : { [question.elementId]: score },
  fields: {},
  language: "",
  distributorId: "",
  versionNumber: 1,
  isAnonymous,
  startedAt: new Date(startedAt),
});

async function* pageOf(respondents: TabledRespondents[]) {
  yield respondents;
}

const series = (respondents: TabledRespondents[], input: Partial<SeriesInput> = {}) =>
  computeSeries(pageOf(respondents), {
    source: {
      elementId: question.elementId,
      itemId: null,
      place: [],
    },
    by: "day",
    timeZone: "UTC",
    measure: "nps",
    categories: [],
    ...input,
  });

test.each([
  ["day", "Europe/Berlin", "2026-03-28T23:30:00Z", "2026-03-29"],
  ["day", "Europe/Berlin", "2026-03-29T21:59:59Z", "2026-03-29"],
  ["day", "Europe/Berlin", "2026-03-29T22:00:00Z", "2026-03-30"],
  ["day", "Pacific/Kiritimati", "2025-12-31T10:00:00Z", "2026-01-01"],
  ["week", "UTC", "2026-11-29T23:59:59Z", "2026-11-23"],
  ["week", "UTC", "2027-01-01T00:00:00Z", "2026-12-28"],
  ["week", "America/New_York", "2026-11-30T04:59:59Z", "2026-11-23"],
  ["month", "Asia/Kathmandu", "2026-02-28T18:15:00Z", "2026-03-01"],
  ["month", "UTC", "2024-02-29T12:00:00Z", "2024-02-01"],
] as const)("the %s in %s of %s begins on %s", (unit, timeZone, time, day) => {
  expect(bucketOf(unit, timeZone, new Date(time))).toBe(day);
});

test("all days between are there, across changes of the clock and the year", () => {
  expect(bucketsBetween("day", "2026-03-28", "2026-03-31", 10)).toEqual([
    "2026-03-28",
    "2026-03-29",
    "2026-03-30",
    "2026-03-31",
  ]);
  expect(bucketsBetween("week", "2026-12-28", "2027-01-04", 10)).toEqual(["2026-12-28", "2027-01-04"]);
  expect(bucketsBetween("month", "2026-12-01", "2027-02-01", 3)).toHaveLength(3);
  expect(bucketsBetween("month", "2026-12-01", "2027-02-01", 2)).toBeNull();
});

test("a series of NPS by day has promoters, passives and detractors, and the days without answers", async () => {
  const found = await series([
    at("2026-05-01T10:00:00Z", 10),
    at("2026-05-01T11:00:00Z", 7),
    at("2026-05-03T10:00:00Z", 6),
    at("2026-05-03T10:00:00Z", 9),
    at("2026-05-03T10:00:00Z", 0),
    at("2026-05-04T10:00:00Z", null),
  ]);
  expect(found).toMatchObject({ matched: 6, counted: 5, missing: 1, value: 0 });
  expect(found.points).toEqual([
    { from: "2026-05-01", respondents: 2, value: 50, promoters: 1, passives: 1, detractors: 0 },
    { from: "2026-05-02", respondents: 0, value: null, promoters: 0, passives: 0, detractors: 0 },
    { from: "2026-05-03", respondents: 3, value: (-1 / 3) * 100, promoters: 1, passives: 0, detractors: 2 },
  ]);
});

test("a series has the mean of a number, or the share of some categories", async () => {
  const given = [at("2026-05-01T10:00:00Z", 10), at("2026-05-01T10:00:00Z", 7), at("2026-06-01T10:00:00Z", 0)];
  const mean = await series(given, { measure: "mean", by: "month" });
  expect(mean.points.map(({ from, value }) => [from, value])).toEqual([
    ["2026-05-01", 8.5],
    ["2026-06-01", 0],
  ]);
  const share = await series(given, { measure: "share", by: "month", categories: ["7", "0"] });
  expect(share.points.map(({ value }) => value)).toEqual([50, 100]);
  expect(share.value).toBe(66.67);
});

test("a text in a hidden field that is now one of numbers is a missing value", async () => {
  const plan = (value: string | number) => ({ ...at("2026-03-01T10:00:00Z", null), fields: { plan: value } });
  const given = [plan("n/a"), plan("30"), plan(20), plan(40)];
  const input = { source: { field: "plan" }, measure: "mean" } as const;
  expect(await series(given, input)).toMatchObject({ matched: 4, counted: 2, missing: 2, value: 30 });
  expect(await series(given.slice(0, 2), input)).toMatchObject({ counted: 0, missing: 2, value: null, points: [] });
  expect(await series(given, { ...input, measure: "share", categories: ["30"] })).toMatchObject({
    counted: 4,
    value: 25,
  });
});

test("a day of full anonymity is the stored one, and few such people are withheld", async () => {
  const day = (date: string, times: number) =>
    Array.from({ length: times }, () => at(`${date}T00:00:00.000Z`, 10, true));
  const found = await series([...day("2026-05-01", 9), ...day("2026-05-02", 2), ...day("2026-05-03", 6)], {
    timeZone: "America/New_York",
  });
  expect(found.points.map(({ from, value, isWithheld }) => [from, value, isWithheld])).toEqual([
    ["2026-05-01", 100, undefined],
    ["2026-05-02", null, true],
    ["2026-05-03", null, true],
  ]);
});

test("few people of full anonymity who alone have a value are refused: their day would go with it", async () => {
  const day = (score: number | null, times: number) =>
    Array.from({ length: times }, () => at("2026-05-01T00:00:00.000Z", score, true));
  for (const few of [1, 4]) {
    await expect(series([...day(null, 9), ...day(10, few)])).rejects.toMatchObject({
      details: { by: [expect.stringContaining("fewer than 5")] },
    });
    expect(await series(day(10, few))).toMatchObject({ counted: few, points: [{ isWithheld: true }] });
  }
  expect(await series([...day(null, 9), ...day(10, 5)])).toMatchObject({ counted: 5, value: 100 });
  expect(await series(day(null, 9))).toMatchObject({ counted: 0, points: [] });
});

test("too many points are refused", async () => {
  await expect(series([at("2020-01-01T00:00:00Z", 1), at("2026-01-01T00:00:00Z", 1)])).rejects.toMatchObject({
    details: { by: [expect.stringContaining("1000 points")] },
  });
  expect(await series([])).toMatchObject({ matched: 0, value: null, points: [] });
});

test("what an older version did not ask as a number has no mean", async () => {
  const born = { ...question, type: 11, typeSettings: { mode: "date" } };
  const older = { pages: [{ ...definition.pages[0]!, elements: [born] }] };
  const date = { ...at("2026-01-01", null), definition: older, answers: { [question.elementId]: "2026-01-31" } };
  const found = await series([date, at("2026-01-02", 4)], { measure: "mean" });
  expect(found).toMatchObject({ matched: 2, counted: 1, missing: 1, value: 4 });
});
