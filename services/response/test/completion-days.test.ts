import { callOptions } from "@canvass/rpc";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { ratingQuestion, readAggregation, startHarness, testId } from "./harness.ts";

const harness = await sharedByFile(startHarness([[ratingQuestion("a")]]));

/** Days, mostly of a change of clocks, each with its first and its last second. */
const days = [
  // 23 hours, 25 hours.
  ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z"],
  ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z"],
  // By half an hour.
  ["Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00Z", "2026-04-05T13:29:59Z"],
  // At midnight: the day begins at one.
  ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z", "2026-04-24T20:59:59Z"],
  // Three quarters of an hour beside the hour, without a change.
  ["Asia/Kathmandu", "2026-06-01", "2026-05-31T18:15:00Z", "2026-06-01T18:14:59Z"],
] as const;

test.each(days)("in %s the %s starts at %s and ends after %s", async (timeZone, day, first, last) => {
  await harness.pool.query("TRUNCATE respondents, answer_sets, completion_slots, survey_counters, question_counters");
  const person = { timeZone };
  const moments = [
    new Date(Date.parse(first) - 1000),
    new Date(first),
    new Date(last),
    new Date(Date.parse(last) + 1000),
  ];
  for (const at of moments) {
    harness.clock.set(at);
    const respondentId = await harness.start(person);
    const responses = [{ elementId: testId("a"), value: 3 }];
    await harness.submit({ respondentId, responses }, { caller: harness.signed(person) });
  }
  const options = callOptions({ signedCaller: harness.signed(person) });
  const { completionTrend } = await readAggregation(harness.client, options);
  const trend = completionTrend.map(({ date, completions }) => [date, Number(completions)] as const);
  const next = Temporal.PlainDate.from(day).add({ days: 1 });
  const expected = Array.from({ length: 30 }, (_, index) => next.subtract({ days: 29 - index }).toString());
  expect(trend.map(([date]) => date)).toEqual(expected);
  expect(trend.slice(-3)).toEqual([
    [next.subtract({ days: 2 }).toString(), 1],
    [day, 2],
    [next.toString(), 1],
  ]);
  expect(trend.slice(0, -3).every(([, count]) => count === 0)).toBe(true);
});
