import { mostAnswers } from "@canvass/questions";
import { expect, test } from "vitest";
import { splitAnswers } from "./split-answers.ts";

const answers = (count: number, value: string) =>
  Array.from({ length: count }, (_, i) => ({ elementId: `e${i}`, value }));

const limit = 1_048_576;

test.each([
  ["no answer", 0, "", [0]],
  ["as many as a submission takes", mostAnswers, "a", [mostAnswers]],
  ["one more", mostAnswers + 1, "a", [mostAnswers, 1]],
  ["long texts of three bytes a sign", 12, "漢".repeat(30_000), [5, 5, 2]],
  ["texts of which each fills a body alone", 3, "a".repeat(limit * 0.9), [1, 1, 1]],
])("%s: the parts have every answer, within the limits of a submission", (_, count, value, lengths) => {
  const responses = answers(count, value);
  const parts = splitAnswers(responses);
  expect(parts.map(({ length }) => length)).toEqual(lengths);
  expect(parts.flat()).toEqual(responses);
  for (const part of parts) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(limit);
});
