import type { AppError } from "@canvass/errors";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import {
  bytesOf,
  canteenForm,
  canteenLss,
  canteenQsf,
  canteenSurveyjs,
  xlsform,
} from "../../../test/sample-questionnaires.ts";
import { testAnyQuestionnaires } from "../../../test/any-questionnaires.ts";
import { readSheets } from "./files/read-sheets.ts";
import { createQuestionnaires, type Questionnaires } from "./questionnaires.ts";
import { readQuestionnaire } from "./read-questionnaire.ts";
import { writeXlsform } from "./xlsform-export/write-xlsform.ts";

type Format = Parameters<typeof readQuestionnaire>[0];

async function read(format: Format, file: Uint8Array) {
  const { documentJson, items } = await readQuestionnaire(format, file);
  const document = JSON.parse(documentJson) as { pages: { elements: { key: string; type: string }[] }[] };
  const told = items
    .filter(({ outcome }) => outcome !== "imported")
    .map(({ source, name, outcome, reasons }) => `${source} ${name}: ${outcome}: ${reasons.join("; ")}`);
  return {
    document,
    told,
    types: document.pages.map(({ elements }) => elements.map(({ key, type }) => `${key} ${type}`)),
  };
}

const refusalOf = async (format: Format, file: Uint8Array): Promise<unknown> => {
  const error = await readQuestionnaire(format, file).then(
    () => undefined,
    (thrown: unknown) => thrown as AppError,
  );
  expect(error).toMatchObject({ code: "validation_failed" });
  return error!.details;
};

test("an XLSForm becomes a survey, and reports what it cannot express", async () => {
  const { document, told, types } = await read("xlsform", await canteenForm());
  expect(types).toEqual([
    ["dish multiple_choice", "sides multiple_choice", "price number"],
    ["liked rating"],
    ["why long_text", "day date_time", "thanks statement"],
  ]);
  expect(told).toEqual([
    "choices row 6 unused: left_out: no question of the survey uses it",
    "survey row 2 start: left_out: is known of a respondent without asking: times and links are kept with the answers",
    "survey row 3 customer: changed: becomes a hidden field, which links give",
    "survey row 15 sum: left_out: calculates; a formula is never run",
    "survey row 16 place: left_out: asks for a place on a map, for which there is no question type",
  ]);
  expect(document).toMatchObject({
    name: "Canteen",
    settings: { locale: { languages: ["de"] } },
    fields: [{ name: "customer", default: "none" }],
    pages: [
      {
        title: "Your meal",
        translations: { de: { title: "Ihr Essen" } },
        elements: [
          {
            required: true,
            typeSettings: { other: { enabled: true } },
            choices: [{ key: "soup" }, { key: "curry" }],
            translations: { de: { "choices.soup": "Suppe" } },
          },
          {
            showIf: { element: "dish", operator: "not_equals", value: "soup" },
            typeSettings: { maxSelections: 2 },
            choices: [{}, { key: "salad", code: "Salad" }],
          },
          {
            constraints: [{ message: "Between 0 and 100, please." }],
            translations: { de: { "constraints.0.message": "Zwischen 0 und 100, bitte." } },
          },
        ],
      },
      { loop: { element: "sides" } },
      {
        showIf: { any: [{ operator: "contains", value: "rice" }, { not: { operator: "greater_than", value: 5 } }] },
        elements: [{ text: "Why {{dish}}?" }, {}, { text: "Thank you, {{field.customer}}." }],
      },
    ],
  });
});

test("a form reports languages that it leaves out because it has no texts in them", async () => {
  const element = (translations: object) => ({ key: "a", type: "short_text", text: "A?", translations });
  const leftOut = async (document: object) => {
    const settings = { locale: { languages: ["de", "fr"] } };
    const file = await writeXlsform(JSON.stringify({ name: "N", language: "en", settings, ...document }));
    return (await readSheets(file)).get("left_out")?.slice(1);
  };
  const whole = { pages: [{ key: "p", elements: [element({ de: { text: "A?" }, fr: { text: "A ?" } })] }] };
  expect(await leftOut(whole)).toBeUndefined();
  const part = { pages: [{ key: "p", elements: [element({ de: { text: "A?" } })] }] };
  const french = ["survey", "the language French (fr): a form has no text in it"];
  expect(await leftOut(part)).toEqual([french]);
  expect(await leftOut({ ...part, translations: { fr: { "settings.welcome.text": "Bonjour" } } })).toEqual([french]);
});

test("surveys of LimeSurvey, Qualtrics and SurveyJS become surveys", async () => {
  const lss = await read("lss", canteenLss());
  expect(lss.types).toEqual([["dish multiple_choice", "sides multiple_choice", "liked matrix"], ["why long_text"]]);
  expect(lss.told).toEqual([
    "surveys : changed: the survey's own title and texts keep one language; settings beside texts and languages are left out",
    "question 11 dish: changed: loses formatting",
    "question 14 why: changed: its relevance is left out, since it compares what is calculated",
    "question 15 sum: left_out: is an equation; a formula is never run",
    "quota : left_out: is not read",
  ]);
  expect(lss.document).toMatchObject({
    settings: { welcome: { text: "Hello & welcome" } },
    pages: [
      {
        elements: [
          { text: "Which dish?" },
          {},
          {
            showIf: {
              all: [{ element: "sides", operator: "contains", value: "rice" }, { not: { operator: "not_answered" } }],
            },
          },
        ],
      },
      { showIf: { value: "a2" }, elements: [{ text: "Why {{dish}}?" }] },
    ],
  });
  const qsf = await read("qsf", bytesOf(canteenQsf));
  expect(qsf.types).toEqual([["dish multiple_choice"], ["liked matrix"], ["why long_text"]]);
  expect(qsf.told).toEqual([
    "QID3 why: changed: loses formatting",
    "QID4 beside: left_out: has the type SBS SBSMatrix, for which there is no question type",
    "flow FL_6 EndSurvey: left_out: has no counterpart in a survey",
    "SurveyElements 2 SO Survey Options: left_out: holds no questions",
  ]);
  expect(qsf.document).toMatchObject({
    language: "en",
    pages: [
      {},
      { elements: [{ showIf: { element: "dish", operator: "equals", value: "2" } }] },
      { showIf: { any: [{}, { operator: "not_equals" }] }, elements: [{ text: "Why {{dish}}, {{field.customer}}?" }] },
    ],
  });
  const surveyjs = await read("surveyjs", bytesOf(canteenSurveyjs));
  expect(surveyjs.types).toEqual([
    ["dish multiple_choice", "sides multiple_choice", "price number"],
    ["liked rating"],
    ["again yes_no", "why long_text"],
  ]);
  expect(surveyjs.told).toEqual([
    "triggers : left_out: is not read",
    "pages.1.elements.0 inner: changed: becomes a page of its own: pages hold no panels",
    "pages.1.elements.2 list: left_out: has the type matrixdynamic, for which there is no question type",
    "pages.1.elements.3 why: changed: visibleIf is left out, since it compares what is calculated",
  ]);
});

test("only invalid parts are removed, and each is reported", async () => {
  const { told, types } = await read(
    "xlsform",
    await xlsform(
      [
        { type: "text", name: "first", label: "About ${later}?", relevant: "${later} = 'x'" },
        { type: "text", name: "later", label: "L" },
        { type: "integer", name: "count", label: "C", default: "many", relevant: "${first} > 3 and ${first} = 'a'" },
        { type: "range", name: "wide", label: "W", parameters: "start=5 end=1" },
        { type: "select_one states", name: "state", label: "S" },
        { type: "select_one towns", name: "town", label: "T", choice_filter: "state = ${state}" },
      ],
      [
        { list_name: "states", name: "a", label: "A" },
        { list_name: "states", name: "b", label: "B" },
        { list_name: "towns", name: "x", label: "X", state: "a" },
        { list_name: "towns", name: "y", label: "Y", state: "b" },
      ],
      { form_title: "Odd" },
    ),
  );
  expect(types).toEqual([
    [
      "first short_text",
      "later short_text",
      "count number",
      "wide slider",
      "state multiple_choice",
      "town multiple_choice",
    ],
  ]);
  expect(told).toEqual([
    expect.stringMatching(
      /row 2 first: changed: a text keeps \$\{later\}.*; relevant is left out, since it asks later/,
    ),
    expect.stringMatching(
      /row 4 count: changed: relevant is left out, since it orders what has no order; defaultValue is left out/,
    ),
    expect.stringMatching(/row 5 wide: changed: typeSettings is left out: must be less than max/),
  ]);
});

test("several violations of a question, a text or a field cost nothing beside it", async () => {
  const elements = [
    { type: "matrix", name: "empty", title: "Empty" },
    { type: "text", name: "kept", title: "Kept?" },
  ];
  const surveyjs = await read("surveyjs", bytesOf({ title: "S", pages: [{ elements }] }));
  expect(surveyjs.types).toEqual([["kept short_text"]]);
  expect(surveyjs.told).toEqual([expect.stringMatching(/^pages\.0\.elements\.0 empty: left_out/)]);

  const form = await xlsform(
    [
      { type: "hidden", name: "plan" },
      { type: "hidden", name: "plan", default: "x".repeat(1_001) },
      { type: "hidden", name: "source" },
      { type: "select_multiple l", name: "sides", label: "Sides" },
      { type: "begin repeat", name: "each", label: "Each", repeat_count: "count-selected(${sides})" },
      { type: "text", name: "one", label: "One" },
      { type: "text", name: "two", label: "Two" },
      { type: "end repeat" },
      { type: "begin group", name: "last", label: "${one} and ${two}" },
      { type: "text", name: "labelled", label: "${one} and ${two}?" },
      { type: "text", name: "hinted", label: "Why?", hint: "${one} and ${two}" },
      { type: "date", name: "day", label: "Day" },
      { type: "text", name: "shown", label: "Shown?", relevant: "${day} > 'soon' or ${day} < 'late'" },
      { type: "end group" },
    ],
    [{ list_name: "l", name: "a", label: "A" }],
    { form_title: "F" },
  );
  const { document } = await read("xlsform", form);
  const repeated = String.raw`\{{one}} and \{{two}}`;
  expect(document).toMatchObject({
    fields: [{ name: "plan" }, { name: "source" }],
    pages: [
      { elements: [{ key: "sides" }] },
      { elements: [{ key: "one" }, { key: "two" }] },
      {
        title: repeated,
        elements: [
          { key: "labelled", text: `${repeated}?` },
          { key: "hinted", text: "Why?" },
          { key: "day" },
          { key: "shown", text: "Shown?" },
        ],
      },
    ],
  });
});

test("a disabled end of a group ends none", async () => {
  const form = await xlsform(
    [
      { type: "begin group", name: "outer", label: "Outer" },
      { type: "begin group", name: "inner", label: "Inner", disabled: "yes" },
      { type: "text", name: "off", label: "Off", disabled: "yes" },
      { type: "end group", disabled: "yes" },
      { type: "text", name: "on", label: "On" },
      { type: "end group" },
    ],
    [],
    { form_title: "F" },
  );
  const { document, told } = await read("xlsform", form);
  expect(document).toMatchObject({ pages: [{ title: "Outer", elements: [{ key: "on" }] }] });
  expect(told).toEqual([
    "survey row 3 inner: left_out: is disabled in the file",
    "survey row 4 off: left_out: is disabled in the file",
  ]);
});

test("in a form hidden fields and named questions keep their names, and no other question or page has one of them", async () => {
  const asksField = { field: "plan", operator: "equals", value: "pro" };
  const element = (key: string, more: object = {}) => ({ key, type: "short_text", text: `${key}?`, ...more });
  const document = {
    name: "N",
    language: "en",
    fields: [
      { name: "plan", type: "text" },
      { name: "Tail", type: "text" },
    ],
    pages: [
      { key: "head", title: "Head", elements: [element("plan"), element("b", { showIf: asksField })] },
      { key: "tail", title: "Tail", elements: [element("c", { name: "B", text: "For {{field.plan}}?" })] },
    ],
  };
  const again = await read("xlsform", await writeXlsform(JSON.stringify(document)));
  expect(again.document).toMatchObject({
    fields: [{ name: "plan" }, { name: "Tail" }],
    pages: [
      { elements: [{ name: "plan_2" }, { name: "b_2", showIf: asksField }] },
      { key: "tail_2", elements: [{ name: "B", text: "For {{field.plan}}?" }] },
    ],
  });
});

test.each<[string, Format, Uint8Array | Promise<Uint8Array>, string]>([
  ["text", "xlsform", strToU8("hello"), "file: is no xlsx file"],
  ["another zip", "xlsform", zipSync({ "a.txt": strToU8("a") }), "file: is no xlsx file"],
  ["an empty file", "lss", new Uint8Array(), "file.line 1, column 0: is no well-formed XML"],
  [
    "entities",
    "lss",
    strToU8('<!DOCTYPE d [<!ENTITY a "aaaa">]><document>&a;</document>'),
    "has a document type, which is not taken",
  ],
  [
    "outer entities",
    "lss",
    strToU8('<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><document>&a;</document>'),
    "has a document type",
  ],
  ["broken XML", "lss", strToU8("<document>\n<a></b></document>"), "file.line 2"],
  ["deep XML", "lss", strToU8("<a>".repeat(100)), "is nested too deeply"],
  ["other XML", "lss", strToU8("<html/>"), "is no survey of LimeSurvey"],
  ["text as JSON", "qsf", strToU8("{"), "file: is no JSON"],
  ["a list", "surveyjs", strToU8("[]"), "must be a JSON object"],
  ["deep JSON", "surveyjs", strToU8(`{"pages":${"[".repeat(5_000)}${"]".repeat(5_000)}}`), "is nested too deeply"],
  ["no questions", "surveyjs", strToU8('{"pages":[{"elements":[]}]}'), "has no question that a survey can have"],
  ["another system's file", "qsf", bytesOf(canteenSurveyjs), "is no survey of Qualtrics"],
])("%s for %s is refused at its place", async (_name, format, file, told) => {
  expect(JSON.stringify(await refusalOf(format, await file)).replaceAll('":["', ": ")).toContain(told);
});

test("a file without a supported question is refused with the reason for each item", async () => {
  const form = await xlsform([
    { type: "geopoint", name: "place", label: "Where?" },
    { type: "calculate", name: "sum", calculation: "1 + 1" },
  ]);
  expect(await refusalOf("xlsform", form)).toEqual({
    file: ["has no question that a survey can have"],
    "file.survey row 2": ["place is left out: asks for a place on a map, for which there is no question type"],
    "file.survey row 3": ["sum is left out: calculates; a formula is never run"],
  });
  const signatures = Array.from({ length: 150 }, (_, n) => ({ type: "signaturepad", name: `s${n}` }));
  const file = strToU8(JSON.stringify({ pages: [{ elements: signatures }] }));
  expect(Object.keys((await refusalOf("surveyjs", file)) as object)).toHaveLength(101);
});

test("a type or tag named like a member of every object is reported like any unknown one", async () => {
  const rows = ["Constructor", "text"].map((type) => ({ type, name: type, label: "Q" }));
  expect((await read("xlsform", await xlsform(rows, [], { form_title: "F" }))).told).toEqual([
    "survey row 2 Constructor: left_out: has the type Constructor, for which there is no question type",
  ]);
  const elements = [{ type: "text", name: "a", title: "<constructor>Q</constructor>" }];
  expect((await read("surveyjs", bytesOf({ title: "S", pages: [{ elements }] }))).told).toEqual([
    "pages.0.elements.0 a: changed: loses formatting",
  ]);
});

test("a choice that is listed once for each value of a filter is shown by any of them", async () => {
  const county = (name: string, state: string) => ({ list_name: "counties", name, label: name, state });
  const { document, told } = await read(
    "xlsform",
    await xlsform(
      [
        { type: "select_one states", name: "in", label: "State?" },
        { type: "select_one counties", name: "county", label: "County?", choice_filter: "state=${in}" },
      ],
      [
        ...["tx", "wa"].map((name) => ({ list_name: "states", name, label: name })),
        county("king", "tx"),
        county("cameron", "tx"),
        county("king", "wa"),
        { ...county("king", "wa"), label: "King's" },
      ],
      { form_title: "Where" },
    ),
  );
  const [, asked] = document.pages[0]!.elements;
  const inState = (value: string) => ({ element: "in", operator: "equals", value });
  expect(asked).toMatchObject({
    choices: [
      { key: "king", showIf: { any: [inState("tx"), inState("wa")] } },
      { key: "cameron", showIf: inState("tx") },
    ],
  });
  expect(told).toEqual([
    "choices row 4 counties: changed: row 7: the choice king is there already, with another label",
  ]);
});

test("a filter's comparison of a choice's own columns shows the choice always, or never", async () => {
  const town = (name: string, state: string, kind: string) => ({ list_name: "towns", name, label: name, state, kind });
  const filtered = async (filter: string) => {
    const { document } = await read(
      "xlsform",
      await xlsform(
        [
          { type: "select_one states", name: "in", label: "State?" },
          { type: "select_one towns", name: "town", label: "Town?", choice_filter: filter },
        ],
        [
          { list_name: "states", name: "tx", label: "tx" },
          town("austin", "tx", "city"),
          town("alba", "tx", "village"),
          town("other", "", "any"),
        ],
        { form_title: "Where" },
      ),
    );
    const { choices } = document.pages[0]!.elements[1] as unknown as { choices: { key: string; showIf?: object }[] };
    return choices.map(({ key, showIf }) => ({ key, showIf }));
  };
  const inTexas = { element: "in", operator: "equals", value: "tx" };
  expect(await filtered("state = 'tx' and kind = 'city'")).toEqual([{ key: "austin" }]);
  expect(await filtered("kind = 'city' and ${in} = 'tx'")).toEqual([{ key: "austin", showIf: inTexas }]);
  expect(await filtered("kind = 'any' or (state = 'tx' and ${in} = 'tx')")).toEqual([
    { key: "austin", showIf: inTexas },
    { key: "alba", showIf: inTexas },
    { key: "other_2" },
  ]);
});

test("a side-by-side question of Qualtrics becomes a question for each of its columns", async () => {
  const rows = { Choices: { 1: { Display: "Soup" }, 2: { Display: "Curry" } } };
  const part = (text: string, more: object) => ({
    QuestionType: "Matrix",
    Selector: "Likert",
    QuestionText: text,
    ...more,
  });
  const AdditionalQuestions = {
    1: part("Taste", { ...rows, Answers: { 1: { Display: "Poor" }, 2: { Display: "Fine" } } }),
    2: part("Why?", { Selector: "TE", Answers: { 1: { Display: "" } } }),
    3: { QuestionType: "SBS", AdditionalQuestions: { 1: {} } },
  };
  const Payload = { QuestionID: "QID1", DataExportTag: "dishes", QuestionText: "Our dishes", QuestionType: "SBS" };
  const { document, told } = await read(
    "qsf",
    bytesOf({
      SurveyEntry: { SurveyName: "Canteen" },
      SurveyElements: [
        { Element: "BL", Payload: [{ ID: "b", BlockElements: [{ Type: "Question", QuestionID: "QID1" }] }] },
        { Element: "SQ", Payload: { ...Payload, ...rows, AdditionalQuestions } },
      ],
    }),
  );
  expect(document.pages[0]!.elements).toMatchObject([
    { type: "matrix", name: "dishes_1", text: "Our dishes\nTaste", rows: [{ text: "Soup" }, {}], columns: [{}, {}] },
    { type: "form", name: "dishes_2", text: "Our dishes\nWhy?", rows: [{ text: "Soup" }, { text: "Curry" }] },
  ]);
  expect(told).toEqual([
    "QID1 dishes: changed: becomes a question for each of its columns",
    "QID1#1 dishes#1: changed: is named dishes_1",
    "QID1#2 dishes#2: changed: is named dishes_2",
    "QID1#3 dishes#3: left_out: has the type SBS, for which there is no question type",
  ]);
});

test("limits, codes and conditions of Qualtrics are read, and what is not read is told", async () => {
  const question = (id: string, payload: object) => ({
    Element: "SQ",
    Payload: { QuestionID: id, DataExportTag: id.replace("QID", "q"), QuestionText: id, ...payload },
  });
  const limited = (settings: object) => ({ Validation: { Settings: settings } });
  const choices = { Choices: { 1: { Display: "A" }, 2: { Display: "B" } } };
  const asksFirst = { LogicType: "Question", QuestionID: "QID1", Operator: "Selected" };
  const DisplayLogic = { 0: { 0: { ...asksFirst, ChoiceLocator: "q://QID1/SelectableChoice/1" } } };
  const questions = [
    question("QID1", {
      QuestionType: "MC",
      Selector: "MAVR",
      ...choices,
      ...limited({ Type: "ChoiceRange", MinChoices: "1", MaxChoices: "2" }),
    }),
    question("QID2", {
      QuestionType: "TE",
      Selector: "SL",
      QuestionText: "Hi ${m://FirstName}",
      ...limited({
        Type: "ContentType",
        ContentType: "ValidNumber",
        ValidNumber: { Min: "0", Max: "120", NumDecimals: "0" },
      }),
    }),
    question("QID3", {
      QuestionType: "TE",
      Selector: "ML",
      ...limited({ Type: "CharRange", MinChars: "10", MaxChars: "50" }),
    }),
    question("QID4", {
      QuestionType: "TE",
      Selector: "SL",
      ...limited({ Type: "ContentType", ContentType: "ValidZip" }),
    }),
    question("QID5", {
      QuestionType: "MC",
      Selector: "SAVR",
      Choices: { 1: { Display: "A" }, 2: { Display: "B", DisplayLogic } },
      DynamicChoices: { Locator: "q://QID1/ChoiceGroup/SelectedChoices" },
      DefaultChoices: [],
    }),
    question("QID6", {
      QuestionType: "Matrix",
      Selector: "Likert",
      ...choices,
      Answers: { 1: { Display: "low" }, 2: { Display: "high" } },
      RecodeValues: { 1: "5", 2: "1" },
      ChoiceDataExportTags: { 1: "q6_a" },
    }),
    question("QID7", {
      QuestionType: "Slider",
      Choices: { 1: { Display: "How much" } },
      Configuration: { CSSliderMax: 10, NumDecimals: "2" },
      Labels: { 1: { Display: "none" } },
    }),
  ];
  const BlockElements = questions.map(({ Payload }) => ({ Type: "Question", QuestionID: Payload.QuestionID }));
  const { document, told } = await read(
    "qsf",
    bytesOf({
      SurveyEntry: { SurveyName: "Limits" },
      SurveyElements: [{ Element: "BL", Payload: [{ ID: "b", BlockElements }] }, ...questions],
    }),
  );
  expect(document.pages[0]!.elements).toMatchObject([
    { typeSettings: { multipleAnswers: true, minSelections: 1, maxSelections: 2 } },
    { type: "number", typeSettings: { min: 0, max: 120, decimals: 0 } },
    { typeSettings: { minLength: 10, maxLength: 50 } },
    { type: "short_text" },
    { choices: [{ code: "1" }, { code: "2", showIf: { element: "q1", operator: "contains" } }] },
    { rows: [{ code: "q6_a" }, { code: "2" }], columns: [{ code: "5" }, { code: "1" }] },
    { typeSettings: { max: 10, step: 0.01 } },
  ]);
  expect(told).toEqual([
    "QID2 q2: changed: a text keeps ${m://FirstName} as it is written",
    "QID4 q4: changed: its validation ValidZip is left out",
    "QID5 q5: changed: DynamicChoices is left out",
    "QID7 q7: changed: its labels are left out",
  ]);
});

test("pages and panels of SurveyJS that are never shown are left out, and what is not read is told", async () => {
  const hidden = { type: "panel", name: "office", visible: false, elements: [{ type: "text", name: "secret" }] };
  const pages = [
    {
      name: "first",
      questionsOrder: "random",
      elements: [
        hidden,
        { type: "panel", name: "inner", requiredIf: "{c} = 1", elements: [{ type: "text", name: "shown" }] },
        { type: "radiogroup", name: "c", title: "{unknown}?", choices: [{ value: 1, enableIf: "{x} = 1" }, 2] },
      ],
    },
    { name: "second", visible: false, elements: [{ type: "text", name: "never" }] },
  ];
  const { types, told } = await read("surveyjs", bytesOf({ title: "S", pages }));
  expect(types).toEqual([["shown short_text"], ["c multiple_choice"]]);
  expect(told).toEqual([
    "pages.0 first: changed: questionsOrder is left out",
    "pages.0.elements.0 office: left_out: is never shown",
    "pages.0.elements.1 inner: changed: becomes a page of its own: pages hold no panels; requiredIf is left out",
    "pages.0.elements.2 c: changed: a text keeps {unknown} as it is written; enableIf of its choices is left out",
    "pages.1 second: left_out: is never shown",
  ]);
});

test("when its caller leaves, a file that waits is not read; one that is read to its end is", async () => {
  const questionnaires = createQuestionnaires();
  const file = { format: "surveyjs", file: bytesOf(canteenSurveyjs) } as const;
  const leaving = new AbortController();
  const read = (workspaceId: string) => questionnaires.readToEnd(workspaceId, file, leaving.signal);
  const [first, second, waiting] = [read("a"), read("b"), read("c")];
  leaving.abort(new Error("the caller left"));
  await expect(Promise.race([first, second, waiting])).rejects.toThrow("the caller left");
  const expected = await readQuestionnaire(file.format, file.file);
  expect(await Promise.all([first, second])).toEqual([expected, expected]);
});

test.each<[string, (questionnaires: Questionnaires, signal: AbortSignal) => Promise<unknown>]>([
  ["a preview", (all, signal) => all.read("a", { format: "surveyjs", file: bytesOf(canteenSurveyjs) }, signal)],
  ["an export", (all, signal) => all.write("a", JSON.stringify({ name: "N", language: "en", pages: [] }), signal)],
])("when its caller leaves, %s that has begun ends", async (_what, begin) => {
  const questionnaires = createQuestionnaires();
  const leaving = new AbortController();
  const begun = begin(questionnaires, leaving.signal);
  leaving.abort(new Error("the caller left"));
  await expect(begun).rejects.toThrow("the caller left");
});

test("a zip bomb is refused before it is unpacked", async () => {
  const bomb = zipSync({ "xl/workbook.xml": new Uint8Array(33 * 1_048_576) });
  expect(bomb.length).toBeLessThan(100_000);
  expect(await refusalOf("xlsform", bomb)).toEqual({ file: ["is larger than 32 MiB when it is unpacked"] });
});

test("a cell far away is refused before rows and cells are made up to it", async () => {
  const refusalAt = (row: string, cell: string, content = "<v>1</v>") => {
    const xml = `<worksheet><sheetData><row r="${row}"><c r="${cell}">${content}</c></row></sheetData></worksheet>`;
    return refusalOf("xlsform", zipSync({ "xl/worksheets/sheet1.xml": strToU8(xml) }));
  };
  const where = "in xl/worksheets/sheet1.xml";
  expect(await refusalAt("99999999", "A99999999")).toEqual({ file: [`has no row or cell at 99999999 ${where}`] });
  expect(await refusalAt("1", "A&#49;e9")).toEqual({ file: [`has no row or cell at A1e9 ${where}`] });
  expect(await refusalAt("1", "ZZZZZZ1")).toEqual({ file: [`has no row or cell at ZZZZZZ1 ${where}`] });
  expect(await refusalAt("20001", "A20001")).toEqual({ file: [`has more than 20000 rows ${where}`] });
  expect(await refusalAt("20001", "A1")).toEqual({ file: [`has more than 20000 rows ${where}`] });
  expect(await refusalAt("1", "SG1")).toEqual({ file: [`has more than 500 columns ${where}`] });
  // Cells without a value may be anywhere. This file is refused because it has no workbook.
  expect(await refusalAt("1048576", "XFD1048576", "")).toEqual({ file: [expect.stringContaining("workbook")] });
});

// More of them: questionnaires.nightly.ts.
testAnyQuestionnaires({ forms: 6, files: 20, values: 20 });
