import { expect, test } from "vitest";
import { buildQuestions } from "../new-questions.ts";
import { countingIds, distributionOf, surprises, idsOf, sampleQuestion } from "../../test/sample-question.ts";
import { constantSum } from "./constant-sum.ts";

const choices = ["A", "B", "C"];
const question = sampleQuestion("constant_sum", { choices });
const [a = "", b = "", c = ""] = idsOf(question.choices);

test("takes amounts that add up to the total", () => {
  expect(
    surprises(question, {
      good: [{ [a]: 100 }, { [a]: 33.1, [b]: 33.2, [c]: 33.7 }, { [a]: 0, [b]: 100 }, { [a]: 99.99, [b]: 0.01 }],
      bad: [
        [{ [a]: 99 }, "", "add up to 100, not to 99"],
        [{}, "", "at least one"],
        [{ [a]: -1, [b]: 101 }, a, "from 0"],
        [{ [a]: "100" }, a, "must be a number"],
        [{ [a]: 33.333, [b]: 66.667 }, a, "2 decimals"],
        [{ x: 100 }, "x", "not a choice"],
        [[100], "", "object"],
        [{ [a]: 1e300 }, a, "from 0"],
      ],
    }),
  ).toEqual([]);
});

test("without a total any amounts do", () => {
  const free = sampleQuestion("constant_sum", { choices, typeSettings: { total: null } });
  expect(surprises(free, { good: [{ [a]: 0 }, { [a]: 5, [b]: 1_000_000 }], bad: [] })).toEqual([]);
  const fine = buildQuestions([{ type: 15, text: "x", typeSettings: { total: 0.125 } }], countingIds());
  expect(fine).toMatchObject({ violations: [{ path: "questions.0.typeSettings.total" }] });
});

test("distribution: sums and means per choice", () => {
  expect(distributionOf(question, [{ [a]: 100 }, { [a]: 50.5, [b]: 49.5 }])).toEqual({
    sums: { [a]: 150.5, [b]: 49.5, [c]: 0 },
    means: { [a]: 75.25, [b]: 24.75, [c]: 0 },
  });
  expect(distributionOf(question, [])).toMatchObject({ means: { [a]: null } });
});

test("export writes the amounts", () => {
  expect(constantSum.exportCells(question, { [b]: 12.5 })).toEqual([null, 12.5, null]);
});
