import { writeSheets } from "../src/application/questionnaires/files/write-sheets.ts";

type Row = Record<string, string>;

/** Writes an XLSForm of rows, whose cells are by heading. */
export function xlsform(survey: readonly Row[], choices: readonly Row[] = [], settings: Row = {}): Promise<Uint8Array> {
  const sheet = (name: string, rows: readonly Row[], first: string[]) => ({
    name,
    columns: [...new Set([...first, ...rows.flatMap((row) => Object.keys(row))])],
    rows,
  });
  return writeSheets([
    sheet("survey", survey, ["type", "name"]),
    sheet("choices", choices, ["list_name", "name"]),
    sheet("settings", [settings], ["form_title", "default_language"]),
  ]);
}

/** A form about a canteen, with what a survey can express of XLSForm, and some that it cannot. */
export const canteenForm = () =>
  xlsform(
    [
      { type: "start", name: "start" },
      { type: "hidden", name: "customer", default: "none" },
      { type: "begin group", name: "meal", label: "Your meal", "label::Deutsch (de)": "Ihr Essen" },
      {
        type: "select_one dishes or_other",
        name: "dish",
        label: "Which dish?",
        "label::Deutsch (de)": "Welches Gericht?",
        required: "yes",
      },
      {
        type: "select_multiple sides",
        name: "sides",
        label: "What beside it?",
        relevant: "${dish} != 'soup'",
        constraint: "count-selected(.) <= 2",
      },
      {
        type: "decimal",
        name: "price",
        label: "What did it cost?",
        constraint: ". >= 0 and . < 100",
        constraint_message: "Between 0 and 100, please.",
        "constraint_message::Deutsch (de)": "Zwischen 0 und 100, bitte.",
      },
      { type: "end group" },
      { type: "begin repeat", name: "each", label: "Each side", repeat_count: "count-selected(${sides})" },
      { type: "range", name: "liked", label: "How was it?", parameters: "start=1 end=5 step=1", appearance: "rating" },
      { type: "end repeat" },
      { type: "begin group", name: "last", relevant: "selected(${sides}, 'rice') or not(${price} > 5)" },
      { type: "text", name: "why", label: "Why ${dish}?", hint: "In a few words", appearance: "multiline" },
      { type: "date", name: "day", label: "When?", default: "2026-01-31" },
      { type: "calculate", name: "sum", calculation: "${price} * 2" },
      { type: "geopoint", name: "place", label: "Where?" },
      { type: "note", name: "thanks", label: "Thank you, ${customer}." },
      { type: "end group" },
    ],
    [
      { list_name: "dishes", name: "soup", label: "Soup", "label::Deutsch (de)": "Suppe" },
      { list_name: "dishes", name: "curry", label: "Curry" },
      { list_name: "sides", name: "rice", label: "Rice" },
      { list_name: "sides", name: "Salad", label: "Salad" },
      { list_name: "unused", name: "x", label: "X" },
    ],
    { form_title: "Canteen", default_language: "" },
  );

const row = (fields: Row) =>
  `<row>${Object.entries(fields)
    .map(([name, value]) => `<${name}><![CDATA[${value}]]></${name}>`)
    .join("")}</row>`;
const table = (name: string, rows: Row[]) => `<${name}><rows>${rows.map(row).join("")}</rows></${name}>`;

/** A survey of LimeSurvey about a canteen, in the shape of database version 400 and later. */
export const canteenLss = (): Uint8Array =>
  new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8"?>
<document>
<LimeSurveyDocType>Survey</LimeSurveyDocType><DBVersion>623</DBVersion>
<languages><language>en</language><language>de</language></languages>
${table("surveys", [{ sid: "1", language: "en" }])}
${table("surveys_languagesettings", [{ surveyls_language: "en", surveyls_title: "Canteen", surveyls_welcometext: "<p>Hello &amp; welcome</p>" }])}
${table("groups", [
  { gid: "1", group_order: "1" },
  { gid: "2", group_order: "2", grelevance: "dish.NAOK == 'A2'" },
])}
${table("group_l10ns", [
  { gid: "1", group_name: "Meal", language: "en" },
  { gid: "1", group_name: "Essen", language: "de" },
  { gid: "2", group_name: "More", language: "en" },
])}
${table("questions", [
  {
    qid: "11",
    gid: "1",
    parent_qid: "0",
    type: "L",
    title: "dish",
    other: "Y",
    mandatory: "Y",
    question_order: "1",
    relevance: "1",
  },
  { qid: "12", gid: "1", parent_qid: "0", type: "M", title: "sides", question_order: "2", relevance: "1" },
  {
    qid: "13",
    gid: "1",
    parent_qid: "0",
    type: "F",
    title: "liked",
    question_order: "3",
    relevance: "sides_rice.NAOK == 'Y' && !is_empty(dish)",
  },
  { qid: "14", gid: "2", parent_qid: "0", type: "T", title: "why", question_order: "1", relevance: "strlen(dish) > 2" },
  { qid: "15", gid: "2", parent_qid: "0", type: "*", title: "sum", question_order: "2" },
])}
${table("question_l10ns", [
  { qid: "11", question: "<b>Which</b> dish?", language: "en" },
  { qid: "11", question: "Welches Gericht?", language: "de" },
  { qid: "12", question: "What beside it?", language: "en" },
  { qid: "13", question: "How was it?", language: "en" },
  { qid: "14", question: "Why {dish.shown}?", language: "en" },
  { qid: "121", question: "Rice", language: "en" },
  { qid: "122", question: "Salad", language: "en" },
  { qid: "131", question: "Taste", language: "en" },
])}
${table("subquestions", [
  { qid: "121", parent_qid: "12", title: "rice", question_order: "1" },
  { qid: "122", parent_qid: "12", title: "salad", question_order: "2" },
  { qid: "131", parent_qid: "13", title: "taste", question_order: "1" },
])}
${table("answers", [
  { aid: "1", qid: "11", code: "A1", sortorder: "1" },
  { aid: "2", qid: "11", code: "A2", sortorder: "2" },
  { aid: "3", qid: "13", code: "1", sortorder: "1" },
  { aid: "4", qid: "13", code: "2", sortorder: "2" },
])}
${table("answer_l10ns", [
  { aid: "1", answer: "Soup", language: "en" },
  { aid: "2", answer: "Curry", language: "en" },
  { aid: "3", answer: "Poor", language: "en" },
  { aid: "4", answer: "Fine", language: "en" },
])}
${table("quota", [{ id: "1", name: "full" }])}
</document>`);

const asked = (id: string, operator: string, more: object = {}) => ({
  LogicType: "Question",
  QuestionID: id,
  ChoiceLocator: `q://${id}/SelectableChoice/2`,
  Operator: operator,
  Type: "Expression",
  ...more,
});
const question = (id: string, tag: string, more: object) => ({
  Element: "SQ",
  PrimaryAttribute: id,
  Payload: {
    QuestionID: id,
    DataExportTag: tag,
    QuestionText: `Text of ${tag}`,
    Validation: { Settings: {} },
    ...more,
  },
});

/** A survey of Qualtrics about a canteen. */
export const canteenQsf = {
  SurveyEntry: { SurveyName: "Canteen", SurveyLanguage: "EN", SurveyDescription: null },
  SurveyElements: [
    {
      Element: "BL",
      Payload: [
        {
          ID: "BL_1",
          Type: "Default",
          Description: "Meal",
          BlockElements: [
            { Type: "Question", QuestionID: "QID1" },
            { Type: "Page Break" },
            { Type: "Question", QuestionID: "QID2" },
          ],
        },
        {
          ID: "BL_2",
          Type: "Standard",
          Description: "More",
          BlockElements: [
            { Type: "Question", QuestionID: "QID3" },
            { Type: "Question", QuestionID: "QID4" },
          ],
        },
      ],
    },
    {
      Element: "FL",
      Payload: {
        Type: "Root",
        Flow: [
          { Type: "EmbeddedData", FlowID: "FL_5", EmbeddedData: [{ Field: "customer", Value: "none" }] },
          { Type: "Block", ID: "BL_1", FlowID: "FL_2" },
          {
            Type: "Branch",
            FlowID: "FL_3",
            BranchLogic: {
              0: { 0: asked("QID1", "Selected"), 1: asked("QID1", "NotSelected", { Conjuction: "Or" }), Type: "If" },
              Type: "BooleanExpression",
            },
            Flow: [{ Type: "Standard", ID: "BL_2", FlowID: "FL_4" }],
          },
          { Type: "EndSurvey", FlowID: "FL_6" },
        ],
      },
    },
    { Element: "SO", PrimaryAttribute: "Survey Options", Payload: {} },
    question("QID1", "dish", {
      QuestionType: "MC",
      Selector: "SAVR",
      Choices: { 1: { Display: "Soup" }, 2: { Display: "Curry", TextEntry: "true" } },
      ChoiceOrder: [2, 1],
      Validation: { Settings: { ForceResponse: "ON" } },
    }),
    question("QID2", "liked", {
      QuestionType: "Matrix",
      Selector: "Likert",
      SubSelector: "SingleAnswer",
      Choices: { 1: { Display: "Taste" } },
      Answers: { 1: { Display: "Poor" }, 2: { Display: "Fine" } },
      DisplayLogic: { 0: { 0: asked("QID1", "Selected"), Type: "If" }, Type: "BooleanExpression" },
    }),
    question("QID3", "why", {
      QuestionType: "TE",
      Selector: "ML",
      QuestionText: "Why <i>${q://QID1/ChoiceGroup/SelectedChoices}</i>, ${e://Field/customer}?",
    }),
    question("QID4", "beside", { QuestionType: "SBS", Selector: "SBSMatrix" }),
  ],
};

/** A survey of SurveyJS about a canteen. */
export const canteenSurveyjs = {
  title: { default: "Canteen", de: "Kantine" },
  completedHtml: "<h3>Thanks</h3>",
  pages: [
    {
      name: "meal",
      title: "Your meal",
      elements: [
        {
          type: "radiogroup",
          name: "dish",
          title: { default: "Which dish?", de: "Welches Gericht?" },
          isRequired: true,
          hasOther: true,
          choices: ["soup", { value: "curry", text: { default: "Curry", de: "Curry" } }],
        },
        {
          type: "checkbox",
          name: "sides",
          title: "What beside it?",
          choices: ["rice", "salad"],
          hasNone: true,
          visibleIf: "{dish} notempty and {dish} <> 'soup'",
        },
        { type: "text", name: "price", inputType: "number", min: 0, max: 100, title: "What did it cost?" },
      ],
    },
    {
      name: "more",
      visibleIf: "{sides} contains 'rice' or {price} > 5",
      elements: [
        { type: "panel", name: "inner", elements: [{ type: "rating", name: "liked", title: "How was {dish}?" }] },
        { type: "boolean", name: "again", title: "Again?", labelTrue: "Sure", labelFalse: "No" },
        { type: "matrixdynamic", name: "list", columns: [] },
        { type: "comment", name: "why", title: "Why?", visibleIf: "age({price}) > 3" },
      ],
    },
  ],
  triggers: [{ type: "complete", expression: "{price} > 50" }],
};

export const bytesOf = (json: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(json));
