import { expect, test } from "vitest";
import { distributionOf, surprises, idsOf, retire, sampleQuestion } from "../../test/sample-question.ts";
import { dropdown } from "./dropdown.ts";

const question = sampleQuestion("dropdown", { choices: ["A", "B"] });
const [first = "", second = ""] = idsOf(question.choices);

test("takes one of its choices", () => {
  expect(
    surprises(question, {
      good: [first, second],
      bad: [
        ["x", "", "not a choice"],
        [[first], "", "id of a choice"],
        [null, "", "id of a choice"],
      ],
    }),
  ).toEqual([]);
  expect(surprises(retire(question, "choices", first), { good: [second], bad: [[first, "", "retired"]] })).toEqual([]);
});

test("the distribution has every choice; an export writes the id, also of an unknown choice", () => {
  expect(distributionOf(question, [first, first])).toEqual({ counts: { [first]: 2, [second]: 0 } });
  expect(dropdown.exportCells(question, first)).toEqual([first]);
  expect(dropdown.exportCells(question, "gone")).toEqual(["gone"]);
  expect(dropdown.exportCells(question, null)).toEqual([null]);
});
