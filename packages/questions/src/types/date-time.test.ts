import { expect, test } from "vitest";
import { buildQuestions } from "../new-questions.ts";
import { countingIds, distributionOf, statsOfTallies, surprises, sampleQuestion } from "../../test/sample-question.ts";
import { dateTime } from "./date-time.ts";

const ask = (typeSettings: Record<string, unknown>) => sampleQuestion("date_time", { typeSettings });

test("takes dates that exist", () => {
  expect(
    surprises(sampleQuestion("date_time"), {
      good: ["2024-02-29", "2026-12-31", "1900-01-01", "9999-12-31", "0001-01-01"],
      bad: [
        "2023-02-29",
        "2026-13-01",
        "2026-00-10",
        "2026-1-1",
        "2026-01-01T00:00",
        "",
        20260101,
        null,
        "x".repeat(1e6),
      ].map((value) => [value, "", "a date"] as const),
    }),
  ).toEqual([]);
});

test("takes times", () => {
  expect(
    surprises(ask({ mode: "time" }), {
      good: ["00:00", "23:59", "12:30:59", "12:30:59.123", "12:30:59.123456789", `12:30:59.${"1".repeat(40)}`],
      bad: ["24:00", "12:60", "12:30:60", "23:59:60", "12:30:59.", "1:30", "12:30Z", "12"].map(
        (value) => [value, "", "a time"] as const,
      ),
    }),
  ).toEqual([]);
});

test("takes date-times with and without offset", () => {
  expect(
    surprises(ask({ mode: "datetime" }), {
      good: [
        "2026-01-31T17:30",
        "2026-01-31T17:30:00Z",
        "2026-01-31T17:30:00.5+05:30",
        "2026-01-31T17:30-11:00",
        "2026-01-31T17:30:00.123456Z",
        "2026-01-31T17:30:00.12345678901234+05:30",
        "2026-01-31t17:30:00z",
        "2016-12-31T23:59:60Z",
      ],
      bad: [
        "2026-01-31",
        "2026-01-31 17:30",
        "2026-02-30T10:00Z",
        "2026-01-31T17:30+24:00",
        "2026-01-31T25:00",
        "2026-01-31T24:00:00Z",
        "2026-01-30T23:59:60Z",
        "T",
      ].map((value) => [value, "", "date and time"] as const),
    }),
  ).toEqual([]);
});

test("keeps the text, and counts it by its milliseconds", () => {
  const question = ask({ mode: "datetime", max: "2026-01-31T17:30:00.123Z" });
  const value = "2026-01-31t17:30:00.123999z";
  expect(dateTime.checkValue(question, value)).toEqual([]);
  expect(dateTime.tally(question, value).number).toBe(Date.parse("2026-01-31T17:30:00.123Z"));
  expect(dateTime.exportCells(question, value)).toEqual([value]);
});

test("is exported as what it asks for", () => {
  const kinds = (["date", "time", "datetime"] as const).map((mode) => dateTime.exportColumns(ask({ mode }))[0]!.kind);
  expect(kinds).toEqual(["date", "time", "datetime"]);
});

test("keeps limits", () => {
  expect(
    surprises(ask({ min: "2026-01-01", max: "2026-12-31" }), {
      good: ["2026-01-01", "2026-12-31"],
      bad: [
        ["2025-12-31", "", "before 2026-01-01"],
        ["2027-01-01", "", "after 2026-12-31"],
      ],
    }),
  ).toEqual([]);
  expect(
    surprises(ask({ mode: "datetime", min: "2026-01-01T12:00+02:00" }), {
      good: ["2026-01-01T10:00Z"],
      bad: [["2026-01-01T09:59:59Z", "", "before"]],
    }),
  ).toEqual([]);
});

test("limits must be of the mode and in order", () => {
  const typeSettings = { mode: "time", min: "2026-01-01", max: "12:00" };
  const wrong = buildQuestions([{ type: 11, text: "x", typeSettings }], countingIds());
  expect(wrong).toMatchObject({ violations: [{ path: "questions.0.typeSettings.min" }] });
  const reversed = { type: 11, text: "x", typeSettings: { min: "2026-01-02", max: "2026-01-01" } };
  expect(buildQuestions([reversed], countingIds())).toMatchObject({
    violations: [{ path: "questions.0.typeSettings.min", message: "must not be after max" }],
  });
});

test("distribution: by month or hour, with first and last", () => {
  expect(distributionOf(sampleQuestion("date_time"), ["2026-02-03", "2026-01-31", "2026-02-01", "1850-01-01"])).toEqual(
    {
      min: "1850-01-01",
      max: "2026-02-03",
      counts: { "2026-01": 1, "2026-02": 2, earlier: 1 },
    },
  );
  expect(distributionOf(ask({ mode: "time" }), ["09:05", "09:55:30"])).toEqual({
    min: "09:05:00",
    max: "09:55:30",
    counts: { "09": 2 },
  });
  expect(distributionOf(ask({ mode: "datetime" }), ["2026-01-31T23:30-02:00"])).toEqual({
    min: "2026-02-01T01:30:00.000Z",
    max: "2026-02-01T01:30:00.000Z",
    counts: { "2026-02": 1 },
  });
});

test("answers to versions of another mode count in buckets of their own, and are no first or last answer", () => {
  const [date, time] = [ask({}), ask({ mode: "time" })];
  const tallies = [
    ...["2026-01-31", "1969-12-31"].map((value) => dateTime.tally(date, value)),
    ...["17:30", "09:05"].map((value) => dateTime.tally(time, value)),
  ];
  const counts = { "09": 1, "17": 1, "1969-12": 1, "2026-01": 1 };
  const of = (question: typeof date, some: typeof tallies) => dateTime.distribution(question, statsOfTallies(some));
  expect(of(date, tallies)).toEqual({ min: "1969-12-31", max: "2026-01-31", counts });
  expect(of(time, tallies)).toEqual({ min: null, max: null, counts });
  expect(of(time, [tallies[0]!, tallies[2]!])).toMatchObject({ min: "17:30:00", max: null });
  expect(of(date, [tallies[0]!, tallies[2]!])).toMatchObject({ min: null, max: "2026-01-31" });
  expect(of(date, [dateTime.tally(date, "1970-01-01")])).toMatchObject({ min: "1970-01-01", max: "1970-01-01" });
});
