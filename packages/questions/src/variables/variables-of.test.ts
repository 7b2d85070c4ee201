import fc from "fast-check";
import { expect, test } from "vitest";
import { idsOf, retire, sampleQuestion } from "../../test/sample-question.ts";
import { questionTypes } from "../catalogue.ts";
import { findEntry } from "./find-entry.ts";
import { variablesOf } from "./variables-of.ts";

const choices = ["Red", "Green", "Blue"];

test("a choice is one variable whose categories are the choices, with their codes", () => {
  const question = sampleQuestion("multiple_choice", {
    choices: choices.map((text, code) => ({ text, code: `${code}` })),
  });
  const [red = "", green = ""] = idsOf(question.choices);
  const [variable, ...others] = variablesOf(retire(question, "choices", green));
  expect(others).toEqual([]);
  expect(variable).toMatchObject({ kind: "single", place: [], measures: ["share"] });
  expect(variable!.categories.map(({ label, entryCode, isRetired }) => [label, entryCode, isRetired])).toEqual([
    ["Red", "0", false],
    ["Green", "1", true],
    ["Blue", "2", false],
  ]);
  expect([variable!.read(red), variable!.read(null)]).toEqual([[red], null]);
});

test("several answers: chosen ids in the order of the question; an answer without any is not a missing answer", () => {
  const question = sampleQuestion("multiple_choice", {
    choices,
    multipleAnswers: true,
    typeSettings: { other: { enabled: true } },
  });
  const [red, , blue] = idsOf(question.choices);
  const [variable, ...others] = variablesOf(question);
  expect(others).toEqual([]);
  expect(variable).toMatchObject({ kind: "multiple" });
  expect(variable!.read([blue, red])).toEqual([red, blue]);
  expect([variable!.read([]), variable!.read(null)]).toEqual([[], null]);
});

test("scales have all their steps, with labels", () => {
  const [rating] = variablesOf(sampleQuestion("rating", { typeSettings: { steps: 3, labels: { "1": "bad" } } }));
  expect(rating!.categories.map(({ id, label }) => [id, label])).toEqual([
    ["1", "1 bad"],
    ["2", "2"],
    ["3", "3"],
  ]);
  expect(rating).toMatchObject({ kind: "single", measures: ["mean", "share"] });
  expect(rating!.read(2)).toEqual(["2"]);
  const [nps] = variablesOf(sampleQuestion("nps", { subject: "us" }));
  expect(nps!.measures).toEqual(["nps", "mean", "share"]);
  expect(nps!.categories).toHaveLength(11);
});

test("a matrix has a variable for each row, and numbers and dates have no categories", () => {
  const matrix = sampleQuestion("matrix", { rows: ["A", "B"], columns: ["x", "y"] });
  const [, b = ""] = idsOf(matrix.rows);
  const [x] = idsOf(matrix.columns);
  const rows = variablesOf(matrix);
  expect(rows.map(({ place }) => place.map(({ label }) => label))).toEqual([["A"], ["B"]]);
  expect([rows[0]!.read({ [b]: x }), rows[1]!.read({ [b]: x })]).toEqual([null, [x]]);
  const several = sampleQuestion("matrix", { rows: ["A"], columns: ["x", "y"], multipleAnswers: true });
  expect(variablesOf(several)[0]).toMatchObject({ kind: "multiple" });
  expect(variablesOf(sampleQuestion("number"))[0]).toMatchObject({
    kind: "number",
    measures: ["mean"],
    categories: [],
  });
  expect(variablesOf(sampleQuestion("date_time"))[0]).toMatchObject({ kind: "date", categories: [] });
  expect(variablesOf(sampleQuestion("long_text"))).toEqual([]);
});

test("an amount that an answer leaves out is 0, as results count it", () => {
  const question = sampleQuestion("constant_sum", { choices });
  const [red = ""] = idsOf(question.choices);
  const read = (value: unknown) => variablesOf(question).map((variable) => variable.read(value));
  expect([read({ [red]: 100 }), read(null)]).toEqual([
    [100, 0, 0],
    [null, null, null],
  ]);
});

test("reading never throws, and finds categories only", () => {
  const made = questionTypes.map(({ typeName }) =>
    sampleQuestion(typeName, {
      ...(["matrix", "dropdown_matrix", "form"].includes(typeName) && { rows: ["A", "B"] }),
      ...(typeName === "matrix" && { columns: ["x", "y"] }),
      ...(typeName === "dropdown_matrix" && { columns: [{ text: "x", options: ["p", "q"] }] }),
      ...(/choice|dropdown$|ranking|constant/.test(typeName) && {
        choices: choices.map((text) => ({
          text,
          ...(typeName === "image_choice" && { imageUrl: "https://example.com/a.png" }),
        })),
      }),
    }),
  );
  const variables = made.flatMap((question) => variablesOf(question));
  expect(variables.length).toBeGreaterThan(12);
  fc.assert(
    fc.property(fc.constantFrom(...variables), fc.jsonValue(), (variable, value) => {
      const read = variable.read(value);
      if (!Array.isArray(read)) return;
      if (variable.kind === "multiple")
        expect(read.every((id) => findEntry(variable.categories, id as string))).toBe(true);
    }),
  );
});

test("an entry is found by its id, else by its code, else by its text", () => {
  const entries = [
    { id: "a", label: "b", entryCode: "c" },
    { id: "b", label: "c" },
  ];
  expect(["a", "b", "c", "d"].map((word) => findEntry(entries, word)?.id)).toEqual(["a", "b", "a", undefined]);
});
