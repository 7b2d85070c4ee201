import type { JsonObject } from "@canvass/values";
import { expect, test } from "vitest";
import { readQuestionnaire } from "../read-questionnaire.ts";

type Row = Record<string, string>;

const table = (name: string, rows: Row[]) =>
  `<${name}><rows>${rows
    .map(
      (row) =>
        `<row>${Object.entries(row)
          .map(([field, value]) => `<${field}><![CDATA[${value}]]></${field}>`)
          .join("")}</row>`,
    )
    .join("")}</rows></${name}>`;
const question = (qid: string, type: string, title: string) => ({ qid, gid: "1", parent_qid: "0", type, title });
const part = (qid: string, parent_qid: string, title: string, relevance: string) => ({
  qid,
  parent_qid,
  title,
  relevance,
});
const text = (qid: string, words: string) => ({ qid, question: words, language: "en" });

async function readLss(tables: Record<string, Row[]>) {
  const xml = `<document><LimeSurveyDocType>Survey</LimeSurveyDocType><languages><language>en</language></languages>${Object.entries(
    { groups: [{ gid: "1" }], ...tables },
  )
    .map(([name, rows]) => table(name, rows))
    .join("")}</document>`;
  const { documentJson, items } = await readQuestionnaire("lss", new TextEncoder().encode(xml));
  const document = JSON.parse(documentJson) as JsonObject & { pages: { elements: JsonObject[] }[] };
  const told = Object.fromEntries(items.map(({ source, reasons }) => [source, reasons]));
  return { document, elements: document.pages.flatMap(({ elements }) => elements), told };
}

test("the relevance of a subquestion of LimeSurvey shows its choice or row", async () => {
  const { elements, told } = await readLss({
    questions: [question("1", "N", "age"), question("2", "M", "has"), question("3", "F", "likes")],
    question_l10ns: [text("1", "Age?"), text("2", "Has?"), text("3", "Likes?")],
    subquestions: [
      part("20", "2", "car", "age.NAOK > 17"),
      part("21", "2", "bike", "1"),
      part("22", "2", "never", "0"),
      part("23", "2", "odd", "strlen(age) > 1"),
      part("30", "3", "driving", "{has_car.NAOK == 'Y'}"),
    ],
    answers: [{ qid: "3", code: "A1", answer: "Much", language: "en" }],
  });
  expect(elements).toMatchObject([
    {},
    {
      choices: [
        { code: "car", showIf: { element: "age", operator: "greater_than", value: 17 } },
        { code: "bike" },
        { code: "odd" },
      ],
    },
    { rows: [{ code: "driving", showIf: { element: "has", operator: "contains", value: "car" } }] },
  ]);
  expect(told).toMatchObject({
    "question 2": [
      "never is left out: it is never shown",
      "the relevance of odd is left out, since it compares what is calculated",
    ],
    "question 3": [],
  });
});

test("expressions in texts of LimeSurvey that are no answers are reported", async () => {
  const { document, elements, told } = await readLss({
    surveys_languagesettings: [{ surveyls_title: "T", surveyls_welcometext: "<p>Welcome, {TOKEN:FIRSTNAME}</p>" }],
    questions: [question("1", "S", "nm"), question("2", "S", "why")],
    question_l10ns: [text("1", "Name?"), text("2", 'Why, {nm.shown}, { or } {if(nm=="x","a","b")} {later}?')],
  });
  const kept = (written: string) => `a text keeps ${written} as it is written`;
  expect(document).toMatchObject({ settings: { welcome: { text: "Welcome, {TOKEN:FIRSTNAME}" } } });
  expect(elements).toMatchObject([{}, { text: 'Why, {{nm}}, { or } {if(nm=="x","a","b")} {later}?' }]);
  expect(told).toMatchObject({
    surveys: [kept("{TOKEN:FIRSTNAME}"), expect.any(String)],
    "question 2": [kept('{if(nm=="x","a","b")}'), kept("{later}")],
  });
});
