import type { JsonObject } from "@canvass/values";
import { expect, test } from "vitest";
import { xlsform } from "../../../../test/sample-questionnaires.ts";
import { readQuestionnaire } from "../read-questionnaire.ts";

type Row = Record<string, string>;

/** Returns the document, its elements, and the report's reasons by the name of their item. */
async function readForm(survey: Row[], choices: Row[] = [], settings: Row = {}) {
  const file = await xlsform(survey, choices, { form_title: "F", ...settings });
  const { documentJson, items } = await readQuestionnaire("xlsform", file);
  const document = JSON.parse(documentJson) as JsonObject & { pages: { elements: JsonObject[] }[] };
  const reasons = items
    .filter((item) => item.reasons.length > 0)
    .map(({ name, reasons }) => [name, reasons.join("; ")]);
  return { document, elements: document.pages.flatMap((page) => page.elements), told: Object.fromEntries(reasons) };
}

test.each([
  ["English (en)", { language: "en", text: "Name" }],
  ["English", { language: "en", text: "Name" }],
  ["en", { language: "en", text: "Name" }],
  ["French", { language: "fr", text: "Nom" }],
  ["Spanish (es)", { language: "fr", text: "Nom" }],
  ["", { language: "fr", text: "Nom" }],
])("the default language %j of a form is found among its headings", async (default_language, { language, text }) => {
  const { document, elements, told } = await readForm(
    [{ type: "text", name: "nm", "label::French (fr)": "Nom", "label::English (en)": "Name" }],
    [],
    { default_language },
  );
  const other = language === "en" ? { fr: { text: "Nom" } } : { en: { text: "Name" } };
  expect(document).toMatchObject({ language, settings: { locale: { languages: Object.keys(other) } } });
  expect(elements).toMatchObject([{ text, translations: other }]);
  expect(told).toEqual({});
});

test("texts below headings without a language are in the default language", async () => {
  const rows = [{ type: "text", name: "nm", label: "Nombre", "label::English (en)": "Name" }];
  const { document, elements } = await readForm(rows, [], { default_language: "es" });
  expect(document).toMatchObject({ language: "es" });
  expect(elements).toMatchObject([{ text: "Nombre", translations: { en: { text: "Name" } } }]);
});

test("HTML in texts of a form becomes text, and marks of Markdown stay", async () => {
  const { document, elements, told } = await readForm(
    [
      {
        type: "begin group",
        name: "g",
        "label::English (en)": "<b>More</b>",
        "label::fr": "<i>Plus</i>",
      },
      {
        type: "note",
        name: "n1",
        "label::English (en)": '<span style="color:red">**Important** &amp; read</span>\nNow <br/>go',
        "label::fr": "<b>Bonjour</b>",
      },
      {
        type: "select_one l",
        name: "s",
        "label::English (en)": "Is a < b & x<y, or R&D > {{1}} &lt;i>?",
        "hint::English (en)": "<u>Tell</u>",
        constraint: ". != 'x'",
        "constraint_message::English (en)": "Not <em>this</em>",
      },
      { type: "end group" },
    ],
    [{ list_name: "l", name: "x", "label::English (en)": "<p>*Ex*</p>", "label::fr": "&eacute;x" }],
    { default_language: "en" },
  );
  expect(document).toMatchObject({ pages: [{ title: "More", translations: { fr: { title: "Plus" } } }] });
  expect(elements).toMatchObject([
    {
      text: "**Important** & read\nNow\ngo",
      typeSettings: { textFormat: "markdown" },
      translations: { fr: { text: "Bonjour" } },
    },
    {
      text: String.raw`Is a < b & x<y, or R&D > \{{1}} <i>?`,
      helpText: "Tell",
      choices: [{ text: "*Ex*" }],
      constraints: [{ message: "Not this" }],
      translations: { fr: { "choices.x": "éx" } },
    },
  ]);
  expect(elements[1]).not.toHaveProperty("typeSettings");
  expect(told).toEqual({ g: "loses formatting", n1: "loses formatting", s: "loses formatting" });
});

test.each([
  ["start=1 end=5 step=1", "rating", { steps: 5 }],
  ["start=0 end=5 step=1", "slider", { min: 0, max: 5, step: 1 }],
  ["start=2 end=8 step=2", "slider", { min: 2, max: 8, step: 2 }],
])("a range with %s shown as a rating becomes a %s", async (parameters, type, typeSettings) => {
  const { elements, told } = await readForm([
    { type: "range", name: "r", label: "R?", parameters, appearance: "rating" },
  ]);
  expect(elements).toMatchObject([{ type, typeSettings }]);
  expect(told).toEqual(type === "rating" ? {} : { r: "the appearance rating is left out" });
});

test("texts of a form that a survey cannot have are reported, and labels in another language kept", async () => {
  const { document, elements, told } = await readForm(
    [
      { type: "begin group", name: "first", "label::fr": "Un", "hint::en": "About it" },
      { type: "text", name: "french", "label::fr": "Seulement", "hint::fr": "Aide" },
      { type: "end group" },
      {
        type: "select_multiple l",
        name: "two",
        "label::en": "Two?",
        constraint: "count-selected(.) <= 1",
        "constraint_message::en": "One!",
      },
    ],
    [{ list_name: "l", name: "x", "label::en": "X" }],
    { default_language: "en" },
  );
  expect(document.pages[0]).not.toHaveProperty("title");
  expect(elements).toMatchObject([
    { text: "french", translations: { fr: { text: "Seulement" } } },
    { text: "Two?", typeSettings: { maxSelections: 1 } },
  ]);
  const inOwn = "in the survey's own language";
  expect(told).toEqual({
    first: `its label is left out: it has none ${inOwn}; its hint is left out: pages have none`,
    french: `has no label ${inOwn}, so its name is its text; its hint is left out: it has none ${inOwn}`,
    two: "constraint_message is left out: the page has its own words for numbers of choices",
  });
});

test.each([
  ["integer", ". >= 1 and . <= 9", {}, { decimals: 0, min: 1, max: 9 }],
  ["integer", ". >= 1 and . >= 5", {}, { decimals: 0 }],
  ["integer", ". >= 1 or . <= 9", {}, { decimals: 0 }],
  ["integer", ". >= 1", { constraint_message: "Too few" }, { decimals: 0 }],
  ["decimal", "(. <= 2.5)", {}, { max: 2.5 }],
  ["date", ". >= date('2020-01-01')", {}, { min: "2020-01-01" }],
])("a constraint of %s that only bounds it, %s, becomes its limits", async (type, constraint, more, typeSettings) => {
  const { elements } = await readForm([{ type, name: "n", label: "N?", constraint, ...more }]);
  expect(elements[0]!["typeSettings"]).toEqual(typeSettings);
  const isLimit = "min" in typeSettings || "max" in typeSettings;
  expect(Object.hasOwn(elements[0]!, "constraints")).toBe(!isLimit);
});
