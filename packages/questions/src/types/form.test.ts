import { Check } from "typebox/schema";
import { expect, test } from "vitest";
import { mergeVersions } from "../merge-versions.ts";
import { buildQuestions } from "../new-questions.ts";
import { countingIds, distributionOf, sampleQuestion, surprises } from "../../test/sample-question.ts";
import { editElement } from "../edits/edit-element.ts";
import { form } from "./form.ts";

const rows = [
  "Name",
  { text: "Mail", format: "email", required: true },
  { label: "Age", format: "number", code: "age" },
  { text: "Born", format: "date" },
  { text: "Site", format: "url" },
  { text: "Call", format: "phone" },
];
const question = sampleQuestion("form", { rows });
const [name, mail, age, born, site, call] = question.rows!.map(({ id }) => id) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

test("takes its fields, each in its format", () => {
  expect(
    surprises(question, {
      good: [
        { [mail]: "ada@example.org" },
        { [mail]: "ada@example.org", [name]: "", [born]: " " },
        { [mail]: "a@b.co", [age]: 0.5, [born]: "2024-02-29", [site]: "https://a.example", [call]: "+43 316 1234" },
      ],
      bad: [
        [{}, mail, "required"],
        [{ [mail]: "\u200b" }, mail, "required"],
        [{ [mail]: "ada" }, mail, "e-mail"],
        ["Ada", "", "object"],
        [{ [mail]: "a@b.co", [age]: "12" }, age, "a number"],
        [{ [mail]: "a@b.co", [name]: 12 }, name, "must be text"],
        [{ [mail]: "a@b.co", [name]: "x".repeat(1_001) }, name, "at most 1000"],
        [{ [mail]: "a@b.co", [born]: "2023-02-29" }, born, "a date"],
        [{ [mail]: "a@b.co", [site]: "javascript:alert(1)" }, site, "a URL"],
        [{ [mail]: "a@b.co", [call]: "call me" }, call, "phone"],
        [{ [mail]: "a@b.co", shoe: "42" }, "shoe", "not a field"],
        [JSON.parse(`{"__proto__": "x", "${mail}": "a@b.co"}`), "__proto__", "not a field"],
      ],
    }),
  ).toEqual([]);
  const free = sampleQuestion("form", { rows: ["Name"] });
  expect(form.checkValue(free, { [free.rows![0]!.id]: " " })).toMatchObject([{ path: "" }]);
});

test("the schema of its answers accepts the same values, including blank fields", () => {
  const schema = form.answerSchema!(question);
  for (const value of [{ [mail]: "a@b.co", [born]: "" }, { [age]: 1 }]) expect(Check(schema, value)).toBe(true);
  for (const value of [{}, { [age]: "1" }, { [mail]: 1 }, { other: "x" }]) expect(Check(schema, value)).toBe(false);
});

test("fields keep their ids, formats and codes; defaults are not stored", () => {
  expect(question.rows).toMatchObject([
    { text: "Name" },
    { text: "Mail", format: "email", required: true },
    { text: "Age", format: "number", code: "age" },
    { text: "Born", format: "date" },
    { text: "Site" },
    { text: "Call" },
  ]);
  expect(Object.keys(question.rows![0]!)).toEqual(["id", "text", "retired"]);
  const input = { type: "form", text: "x", rows: [{ text: "a", format: "colour", required: 1 }] };
  expect(buildQuestions([input], countingIds())).toMatchObject({ violations: [expect.anything(), expect.anything()] });
  const matrix = { type: "matrix", text: "x", rows: [{ text: "a", format: "email" }], columns: ["b"] };
  expect(buildQuestions([matrix], countingIds())).toMatchObject({
    violations: [{ path: "questions.0.rows.0.format" }],
  });
});

test("an edit retires an answered field", () => {
  const edited = editElement(
    "settings",
    question,
    { settings: { rows: [{ id: age, text: "Years", format: "number" }] } },
    { newId: countingIds(), isAnswered: (id) => id === mail },
  );
  if (!("question" in edited)) throw new Error(JSON.stringify(edited));
  expect(edited.question.rows).toMatchObject([
    { id: age, text: "Years", code: "age", retired: false },
    { id: mail, required: true, retired: true },
  ]);
  // A retired field is not required.
  expect(form.checkValue(edited.question, { [age]: 3 })).toEqual([]);
});

test("counts answers by field and exports a column for each, whatever an older version accepted", () => {
  expect(
    distributionOf(question, [
      { [mail]: "a@b.co", [age]: 3 },
      { [mail]: "c@d.co", [name]: " " },
    ]),
  ).toEqual({
    counts: { [name]: 0, [mail]: 2, [age]: 1, [born]: 0, [site]: 0, [call]: 0 },
  });
  expect(form.exportColumns(question).map(({ text, kind }) => [text, kind])).toEqual([
    ["What?: Name", "text"],
    ["What?: Mail", "text"],
    ["What?: Age", "number"],
    ["What?: Born", "date"],
    ["What?: Site", "text"],
    ["What?: Call", "text"],
  ]);
  // What has been a text in a version is a column of texts.
  const older = { ...question, rows: question.rows!.map(({ id, text, retired }) => ({ id, text, retired })) };
  const merged = mergeVersions([older, question]);
  expect(form.exportColumns(merged).map(({ kind }) => kind)).toEqual(Array.from({ length: 6 }, () => "text"));
  expect(form.exportCells(merged, { [mail]: "a@b.co", [age]: "three", [born]: "May", [name]: 5 })).toEqual([
    "5",
    "a@b.co",
    "three",
    "May",
    null,
    null,
  ]);
  expect(form.exportCells(merged, { [age]: 3, [born]: "2024-02-29" }).slice(2, 4)).toEqual(["3", "2024-02-29"]);
  // Other columns hold what fits them only.
  expect(form.exportCells(question, { [age]: "three", [born]: "May" })).toEqual([null, null, null, null, null, null]);
});
