import type { JsonObject } from "@canvass/values";
import { expect, test } from "vitest";
import { readSheets } from "../files/read-sheets.ts";
import { writeXlsform } from "./write-xlsform.ts";

type Row = Record<string, string>;

/** Returns the filled cells of each row of a form, by sheet. */
async function formOf(elements: JsonObject[], more: JsonObject = {}): Promise<Record<string, Row[]>> {
  const document = { name: "N", language: "en", pages: [{ key: "p", elements }], ...more };
  const sheets = await readSheets(await writeXlsform(JSON.stringify(document)));
  const rowsOf = ([headings = [], ...rows]: string[][]) =>
    rows.map((row): Row =>
      Object.fromEntries(headings.map((name, at) => [name, row[at] ?? ""]).filter(([, cell]) => cell)),
    );
  return Object.fromEntries([...sheets].map(([name, sheet]) => [name, rowsOf(sheet)]));
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
