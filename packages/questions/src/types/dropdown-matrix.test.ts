import { expect, test } from "vitest";
import { distributionOf, surprises, idsOf, sampleQuestion } from "../../test/sample-question.ts";
import { dropdownMatrix } from "./dropdown-matrix.ts";

const question = sampleQuestion("dropdown_matrix", {
  rows: ["Monday", "Tuesday"],
  columns: [{ text: "Lunch", options: ["Rice", "Soup"] }, "Dinner"],
});
const [monday = "", tuesday = ""] = idsOf(question.rows);
const [lunch = "", dinner = ""] = idsOf(question.columns);
const [rice = "", soup = ""] = idsOf(question.columns?.[0]?.options);
const [one = "", two = ""] = idsOf(question.columns?.[1]?.options);

test("takes an option or (None) per cell", () => {
  expect(
    surprises(question, {
      good: [{ [monday]: { [lunch]: rice, [dinner]: "" } }, { [tuesday]: { [dinner]: two } }],
      bad: [
        [{}, "", "at least one"],
        [{ [monday]: {} }, monday, "at least one column"],
        [{ [monday]: rice }, monday, "object"],
        [{ [monday]: { [lunch]: one } }, `${monday}.${lunch}`, "not an option"],
        [{ [monday]: { [lunch]: null } }, `${monday}.${lunch}`, "id of an option"],
        [{ [monday]: { x: "" } }, `${monday}.x`, "not a column"],
        [{ x: { [lunch]: rice } }, "x", "not a statement"],
      ],
    }),
  ).toEqual([]);
});

test("value labels have the shape of the value", () => {
  const value = { [monday]: { [lunch]: soup, [dinner]: "" } };
  expect(dropdownMatrix.valueLabels?.(question, value)).toEqual({ [monday]: { [lunch]: "Soup", [dinner]: "(None)" } });
});

test("distribution counts the options of answered cells in the question's order, (None) under the empty id", () => {
  const answers = [
    { [monday]: { [lunch]: soup } },
    { [monday]: { [dinner]: one, [lunch]: "" }, [tuesday]: { [dinner]: two } },
  ];
  const distribution = distributionOf(question, answers.toReversed());
  expect(distribution).toEqual({
    rows: {
      [monday]: { [lunch]: { [soup]: 1, "": 1 }, [dinner]: { [one]: 1 } },
      [tuesday]: { [dinner]: { [two]: 1 } },
    },
  });
  expect(JSON.stringify(distribution)).toBe(JSON.stringify(distributionOf(question, answers)));
  expect(distributionOf(question, [])).toEqual({ rows: {} });
});

test("one export column per cell", () => {
  expect(dropdownMatrix.exportColumns(question).map(({ text }) => text)).toEqual([
    "What?: Monday: Lunch",
    "What?: Monday: Dinner",
    "What?: Tuesday: Lunch",
    "What?: Tuesday: Dinner",
  ]);
  expect(dropdownMatrix.exportCells(question, { [monday]: { [lunch]: rice, [dinner]: "" } })).toEqual([
    rice,
    "",
    null,
    null,
  ]);
});
