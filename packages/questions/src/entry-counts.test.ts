import { expect, test } from "vitest";
import { idsOf, sampleQuestion } from "../test/sample-question.ts";
import { questionTypeOf } from "./catalogue.ts";
import type { Question } from "./definition.ts";
import { countEntries } from "./entry-counts.ts";
import { applyTally } from "./tally.ts";

/** Returns the entry counts of some answers. */
function entriesOf(question: Question, values: readonly unknown[]): Record<string, number> {
  const type = questionTypeOf(question);
  const buckets = new Map<string, number>();
  for (const value of values) applyTally(buckets, type.tally(question, value), 1);
  return Object.fromEntries(countEntries(type, values.length, buckets));
}

test("choices are counted by the answers that name them", () => {
  const question = sampleQuestion("multiple_choice", { multipleAnswers: true });
  const [a = "", b = ""] = idsOf(question.choices);
  expect(entriesOf(question, [[a, b], [b]])).toEqual({ [a]: 1, [b]: 2 });
});

test("rows, columns and options are counted in every cell, up to the number of answers", () => {
  const matrix = sampleQuestion("matrix", { rows: ["R", "S"] });
  const [[r = "", s = ""], [c = "", d = ""]] = [idsOf(matrix.rows), idsOf(matrix.columns)];
  expect(entriesOf(matrix, [{ [r]: c, [s]: c }, { [r]: d }])).toEqual({ [r]: 2, [s]: 1, [c]: 2, [d]: 1 });
  const dropdowns = sampleQuestion("dropdown_matrix");
  const [row = ""] = idsOf(dropdowns.rows);
  const [column] = dropdowns.columns!;
  const [option = ""] = idsOf(column!.options);
  expect(entriesOf(dropdowns, [{ [row]: { [column!.id]: option } }, { [row]: { [column!.id]: "" } }])).toEqual({
    [row]: 2,
    [column!.id]: 2,
    [option]: 1,
  });
});

test("a ranked choice counts at any place; a choice with amounts counts once for each answer that has one", () => {
  const ranking = sampleQuestion("ranking");
  const [a = "", b = ""] = idsOf(ranking.choices);
  expect(
    entriesOf(ranking, [
      [a, b],
      [b, a],
      [a, b],
    ]),
  ).toEqual({ [a]: 3, [b]: 3 });
  const sum = sampleQuestion("constant_sum");
  const [c = "", d = ""] = idsOf(sum.choices);
  expect(entriesOf(sum, [{ [c]: 100 }, { [c]: 100, [d]: 0 }])).toEqual({ [c]: 2 });
});

test("buckets that name no entry are passed over, and so are those at zero", () => {
  expect(entriesOf(sampleQuestion("rating"), [1, 5])).toEqual({});
  expect(entriesOf(sampleQuestion("number"), [1_000_000_000_000_000])).toEqual({});
  expect(countEntries({ lists: { rows: { max: 1, marks: [], showIf: true } } }, 0, [["0000000000000001", 0]])).toEqual(
    new Map(),
  );
});
