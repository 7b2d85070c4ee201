import type { JsonObject } from "@canvass/values";
import { expect, test } from "vitest";
import { readSheets } from "../files/read-sheets.ts";
import { readQuestionnaire } from "../read-questionnaire.ts";
import { writeXlsform } from "./write-xlsform.ts";

type Row = Record<string, string>;

const written = (elements: JsonObject[], more: JsonObject = {}) =>
  writeXlsform(JSON.stringify({ name: "N", language: "en", pages: [{ key: "p", elements }], ...more }));

/** Returns the filled cells of each row of a form, by sheet. */
async function formOf(elements: JsonObject[], more: JsonObject = {}): Promise<Record<string, Row[]>> {
  const sheets = await readSheets(await written(elements, more));
  const rowsOf = ([headings = [], ...rows]: string[][]) =>
    rows.map((row): Row =>
      Object.fromEntries(headings.map((name, at) => [name, row[at] ?? ""]).filter(([, cell]) => cell)),
    );
  return Object.fromEntries([...sheets].map(([name, sheet]) => [name, rowsOf(sheet)]));
}

/** Returns the elements that a form becomes when it is imported. */
async function comeBack(elements: JsonObject[]): Promise<JsonObject[]> {
  const { documentJson } = await readQuestionnaire("xlsform", await written(elements));
  return (JSON.parse(documentJson) as { pages: [{ elements: JsonObject[] }] }).pages[0].elements;
}

test("a form lists carried choices, of which left_out tells", async () => {
  const settings = { locale: { languages: ["de"] } };
  const from = (element: string) => ({ choicesFrom: { element, which: "shown" } });
  const { survey, choices, left_out } = await formOf(
    [
      {
        key: "dish",
        type: "multiple_choice",
        text: "Dish?",
        typeSettings: { multipleAnswers: true, other: { enabled: true, label: "Another" } },
        choices: [
          { key: "soup", code: "1", text: "Soup" },
          { key: "none", text: "None", exclusive: true },
        ],
        translations: { de: { "choices.soup": "Suppe", "settings.other.label": "Ein anderes" } },
      },
      { key: "best", type: "ranking", text: "Best?", ...from("dish"), translations: { de: { text: "Bestes?" } } },
      { key: "again", type: "multiple_choice", text: "Again?", ...from("best") },
      { key: "why", type: "short_text", text: "Why?", showIf: { element: "again", operator: "equals", value: "soup" } },
    ],
    { settings },
  );
  expect(survey).toMatchObject([
    {},
    { type: "rank best", "label::German (de)": "Bestes?" },
    { type: "select_one again" },
    { relevant: "${again} = '1'" },
  ]);
  for (const list_name of ["best", "again"]) {
    expect(choices!.filter((row) => row["list_name"] === list_name)).toEqual([
      { list_name, name: "1", "label::English (en)": "Soup", "label::German (de)": "Suppe" },
      { list_name, name: "other", "label::English (en)": "Another", "label::German (de)": "Ein anderes" },
    ]);
  }
  expect(left_out).toEqual(
    expect.arrayContaining([
      { source: "best", what: "choicesFrom" },
      { source: "again", what: "choicesFrom" },
    ]),
  );
});

test("texts with signs of HTML and with Markdown come back from a form", async () => {
  const elements = [
    { key: "a", type: "short_text", name: "a", text: "Use <b> & &amp;, a < b?", helpText: "**Now**" },
    { key: "b", type: "statement", name: "b", text: "A *short* text", typeSettings: { textFormat: "markdown" } },
    { key: "c", type: "statement", name: "c", text: "- a list", typeSettings: { textFormat: "markdown" } },
  ];
  const { survey, left_out } = await formOf(elements);
  expect(survey).toMatchObject([{ label: "Use &lt;b> & &amp;amp;, a < b?" }, { label: "A *short* text" }, {}]);
  expect(left_out).toEqual(["a", "c"].map((source) => ({ source, what: "the setting textFormat" })));
  const again = await comeBack(elements);
  expect(again).toEqual([
    { ...elements[0], typeSettings: { textFormat: "markdown" } },
    elements[1],
    {
      key: "c",
      type: "statement",
      name: "c",
      text: "- a list",
    },
  ]);
});

const choices = [
  { key: "a", code: "b", text: "A" },
  { key: "b", text: "B" },
  { key: "o", code: "other", text: "O" },
];
const asks = (value: string) => ({ showIf: { element: "m", operator: "contains", value } });

test("a list of a form has each name once", async () => {
  const multiple = { multipleAnswers: true, other: { enabled: true } };
  const {
    survey,
    choices: listed,
    left_out,
  } = await formOf([
    { key: "m", type: "multiple_choice", text: "M?", choices, typeSettings: multiple },
    { key: "x", type: "matrix", text: "X?", rows: [{ key: "r", text: "R" }], columns: choices },
    ...["a", "b", "o", "other"].map((value) => ({ key: `is_${value}`, type: "statement", text: "S", ...asks(value) })),
  ]);
  const namesIn = (list: string) => listed!.filter(({ list_name }) => list_name === list).map(({ name }) => name);
  expect(namesIn("m")).toEqual(["b", "b_2", "other_2"]);
  expect(namesIn("x")).toEqual(["b", "b_2", "other"]);
  expect(survey!.slice(-4).map(({ relevant }) => relevant)).toEqual(
    ["b", "b_2", "other_2", "other"].map((name) => `selected(\${m}, '${name}')`),
  );
  expect(left_out).toContainEqual({ source: "m", what: "the code other: in a form it is the code of Other" });
});

test("signs of a reference that are text are no reference in a form", async () => {
  const { survey, left_out } = await formOf([
    { key: "price", type: "number", text: "Price?" },
    { key: "t", type: "short_text", text: String.raw`Cost ${"${price}"}, $\{{x}} or ${"${{price}}"}` },
  ]);
  expect(survey![1]!["label"]).toBe("Cost $ {price}, $ {{x}} or $${price}");
  expect(left_out).toEqual([
    { source: "t", what: "the sign ${ in a text: it is written as $ {, since a form would read an answer there" },
  ]);
});

test("rows of a matrix are required where the matrix is, and left_out has what a group cannot be", async () => {
  const rows = [{ key: "r", text: "R" }];
  const answered = { element: "t", operator: "answered" };
  const { survey, left_out } = await formOf([
    { key: "t", type: "short_text", text: "T?" },
    { key: "m", type: "matrix", text: "M?", rows, columns: choices, requiredIf: answered },
    { key: "f", type: "form", text: "F?", rows, required: true, constraints: [{ must: answered, message: "T first" }] },
  ]);
  expect(survey).toMatchObject([{}, {}, { name: "m_r", required: "${t} != ''" }, {}, {}, { name: "f_r" }, {}]);
  expect(survey![5]).not.toHaveProperty("required");
  expect(left_out!.filter(({ source }) => source === "f").map(({ what }) => what)).toEqual([
    "the question as one: it is a group with a question for each row",
    "its constraints: a group has none",
    "required: a group cannot be required",
  ]);
});

test("limits of numbers and dates come back from a form", async () => {
  const elements = [
    { key: "a", type: "number", name: "a", text: "A?", typeSettings: { decimals: 0, min: -1.5, max: 10 } },
    { key: "b", type: "number", name: "b", text: "B?", typeSettings: { max: 0 } },
    { key: "c", type: "date_time", name: "c", text: "C?", typeSettings: { min: "2020-01-01", max: "2030-01-01" } },
    { key: "d", type: "date_time", name: "d", text: "D?", typeSettings: { mode: "time", min: "08:00" } },
    {
      key: "e",
      type: "date_time",
      name: "e",
      text: "E?",
      typeSettings: { mode: "datetime", max: "2020-01-01T00:00:00Z" },
    },
  ];
  expect((await formOf(elements))["left_out"]).toBeUndefined();
  expect(await comeBack(elements)).toEqual(elements);
});

test("left_out has settings and formats of which a form has a part", async () => {
  const { survey, left_out } = await formOf(
    [
      { key: "n", type: "number", text: "N?", typeSettings: { decimals: 2 } },
      { key: "d", type: "short_text", text: "D?", defaultValue: "${n}" },
      {
        key: "m",
        type: "multiple_choice",
        text: "M?",
        choices,
        typeSettings: { other: { enabled: true, label: "Else", code: "9" } },
        translations: { de: { "settings.other.label": "Anderes", "choices.a": "Ä" } },
      },
      {
        key: "f",
        type: "form",
        text: "F?",
        rows: [
          { key: "e", text: "E", format: "email" },
          { key: "n", text: "N", format: "number" },
        ],
      },
      {
        key: "l",
        type: "number",
        text: "L?",
        typeSettings: { max: 9 },
        constraints: [
          { must: { language: true, operator: "in", value: ["en"] }, message: "English" },
          { must: { element: "l", operator: "not_equals", value: 5 }, message: "Not 5" },
        ],
      },
    ],
    { settings: { locale: { languages: ["de"] } } },
  );
  expect(survey!.find(({ name }) => name === "d")).not.toHaveProperty("default");
  expect(survey!.at(-1)).toMatchObject({
    constraint: "(. != 5) and (. <= 9)",
    "constraint_message::English (en)": "Not 5",
  });
  expect(left_out!.map(({ source, what }) => `${source}: ${what}`)).toEqual([
    "n: the setting decimals",
    "d: its default answer: a form would calculate it",
    "m: the setting other.label",
    "m: the setting other.code",
    "m: the code other: in a form it is the code of Other",
    "f: the question as one: it is a group with a question for each row",
    "f: the format email of rows",
    "l: a constraint: it asks the respondent's language",
    "l: its limits as settings: they are part of its constraint",
    "l: messages of constraints but the first",
  ]);
});

test("a condition that asks a choice with the code other asks it also when it comes back", async () => {
  const typeSettings = { multipleAnswers: true, other: { enabled: true } };
  const m = { key: "m", type: "multiple_choice", text: "M?", choices, typeSettings };
  const [read, ofChoice, ofOther] = await comeBack([
    m,
    { key: "s", type: "short_text", text: "S?", ...asks("o") },
    { key: "t", type: "short_text", text: "T?", ...asks("other") },
  ]);
  const listed = read!["choices"] as { key: string; text: string }[];
  const key = listed.find(({ text }) => text === "O")!.key;
  expect(ofChoice).toMatchObject(asks(key));
  expect(ofOther).toMatchObject(asks("other"));
  expect(key).not.toBe("other");
});
