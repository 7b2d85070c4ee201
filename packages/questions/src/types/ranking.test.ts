import { expect, test } from "vitest";
import { distributionOf, surprises, idsOf, retire, sampleQuestion } from "../../test/sample-question.ts";
import { ranking } from "./ranking.ts";

const choices = ["A", "B", "C"];
const question = sampleQuestion("ranking", { choices });
const [a = "", b = "", c = ""] = idsOf(question.choices);

test("takes every choice in an order", () => {
  expect(
    surprises(question, {
      good: [
        [a, b, c],
        [c, a, b],
      ],
      bad: [
        [[a, b], "", "every choice"],
        [[a, b, b], "2", "twice"],
        [[a, b, "x"], "2", "not a choice"],
        [[], "", "at least one"],
        [a, "", "list"],
        [{ 0: a }, "", "list"],
        [Array.from({ length: 1e5 }, () => a), "", "more choices"],
      ],
    }),
  ).toEqual([]);
  expect(surprises(retire(question, "choices", c), { good: [[b, a]], bad: [[[a, b, c], "2", "retired"]] })).toEqual([]);
});

test("without rankAll some of the choices are enough", () => {
  const some = sampleQuestion("ranking", { choices, typeSettings: { rankAll: false } });
  expect(surprises(some, { good: [[b], [c, a, b]], bad: [[[b, b], "1", "twice"]] })).toEqual([]);
});

test("distribution: positions and their mean", () => {
  const answers = [
    [a, b, c],
    [b, a, c],
  ];
  expect(distributionOf(question, answers)).toEqual({
    ranks: {
      [a]: { mean: 1.5, counts: { 1: 1, 2: 1 } },
      [b]: { mean: 1.5, counts: { 1: 1, 2: 1 } },
      [c]: { mean: 3, counts: { 3: 2 } },
    },
  });
  expect(distributionOf(question, [])).toMatchObject({ ranks: { [a]: { mean: null, counts: {} } } });
});

test("export writes the position of each choice", () => {
  expect(ranking.exportCells(question, [c, a])).toEqual([2, null, 1]);
});
