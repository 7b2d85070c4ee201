import { expect, test } from "vitest";
import { ask, page } from "../test/sample-survey.ts";
import { compareDefinitions } from "./changes/compare-definitions.ts";
import type { Question, SurveyDefinition } from "./definition.ts";
import { noFormer } from "./document/former-survey.ts";
import { readingDocument } from "./document/read-document.ts";
import { writingDocument } from "./document/write-document.ts";
import { applyElementSettings } from "./element-settings.ts";
import { finish } from "./finish.ts";
import { buildQuestions } from "./new-questions.ts";
import { publicDefinition } from "./public/public-definition.ts";
import { checkDefinition } from "./structure/check-definition.ts";
import { replaceQuestion } from "./structure/replace-question.ts";

let last = 0;
const newId = () => `n${String(++last).padStart(15, "0")}`;
const choices = [{ text: "Soup", code: "s" }, { text: "s" }, { text: "Tea", code: "2" }];

function built(fields: object): Question {
  const result = buildQuestions([{ type: "dropdown", text: "?", choices, ...fields }], newId);
  if ("violations" in result) throw new Error(JSON.stringify(result.violations));
  return result.questions[0]!.question;
}
const surveyOf = (...elements: Question[]): SurveyDefinition => ({ pages: [page("page000000000000", elements)] });
const lines = (definition: SurveyDefinition) => checkDefinition(definition).map(({ code, path }) => `${code} ${path}`);

test.each([
  ["s", 0],
  ["Soup", 0],
  ["2", 2],
])("the choice %s is stored by id", (given, at) => {
  const question = built({ defaultValue: given });
  expect(question.logic?.defaultValue).toBe(question.choices![at]!.id);
  expect(lines(surveyOf(question))).toEqual([]);
  expect(publicDefinition(surveyOf(question)).pages[0]!.elements[0]!.defaultValue).toBe(question.choices![at]!.id);
});

test("a default is an answer to its question, or a violation at its place", () => {
  const defaultOf = (defaultValue: unknown, type: string, fields: object = {}) =>
    lines(surveyOf({ ...ask("asked00000000000", type, { text: "?", ...fields }), logic: { defaultValue } }));
  expect(defaultOf(3, "rating")).toEqual([]);
  expect(defaultOf(["a"], "multiple_choice", { choices: ["a"], multipleAnswers: true })).toEqual([
    "default_broken pages.0.elements.0.defaultValue.0",
  ]);
  for (const [type, value] of [
    ["rating", 6],
    ["number", "3"],
    ["date_time", "tomorrow"],
    ["yes_no", 1],
  ] as const) {
    expect(defaultOf(value, type)).toEqual(["default_broken pages.0.elements.0.defaultValue"]);
  }
  for (const type of ["consent", "contact_info", "statement"]) {
    expect(defaultOf(true, type)).toEqual(["default_broken pages.0.elements.0.defaultValue"]);
  }
  const shape = buildQuestions([{ type: "number", text: "?", defaultValue: { a: 1 } }], newId);
  expect(shape).toMatchObject({ violations: [{ path: "questions.0.defaultValue" }] });
});

test("an edit keeps a default, null removes it, and it goes with its choice", () => {
  const question = built({ defaultValue: "Tea", showIf: null });
  const context = { newId, isAnswered: () => false };
  const edited = (body: object): Question => {
    const result = applyElementSettings(question, { settings: {}, ...body }, context);
    if ("violations" in result) throw new Error("refused");
    return result.question;
  };
  expect(edited({ questionText: "Which?" }).logic).toEqual(question.logic);
  expect(edited({ defaultValue: null })).not.toHaveProperty("logic");
  const fewer = edited({ settings: { choices: question.choices!.slice(0, 2) } });
  const replaced = finish(replaceQuestion(surveyOf(question), fewer));
  expect(replaced).toMatchObject({ definition: { pages: [{ elements: [{ elementId: question.elementId }] }] } });
  expect("definition" in replaced && replaced.definition.pages[0]!.elements[0]).not.toHaveProperty("logic");
  const wrong = edited({ defaultValue: "Coffee" });
  expect(finish(replaceQuestion(surveyOf(question), wrong))).toMatchObject({ violations: [{ path: "defaultValue" }] });
});

test("a document has the key of a choice, and takes its code or text", () => {
  const definition = surveyOf(built({ defaultValue: "Soup" }));
  const fields = { name: "A survey", description: "", language: "en", type: 1 };
  const text = finish(writingDocument({ fields, settings: {}, translations: {}, definition, keys: new Map() }));
  const { id } = definition.pages[0]!.elements[0]!.choices![0]!;
  expect(text).toContain(`"defaultValue": "e_${id}"`);
  const context = { newId, isAnswered: () => false, digest: (each: string) => each };
  for (const written of [`"e_${id}"`, '"s"', '"Soup"']) {
    const read = finish(
      readingDocument(
        JSON.parse(text.replace(`"e_${id}"`, written).replace(`"key": ${written}`, `"key": "e_${id}"`)) as never,
        noFormer,
        context,
      ),
    );
    expect(read.violations).toEqual([]);
    const [question] = read.definition.pages[0]!.elements;
    expect(question!.logic?.defaultValue).toBe(question!.choices![0]!.id);
  }
  const broken = finish(
    readingDocument(
      JSON.parse(text.replace(`"defaultValue": "e_${id}"`, '"defaultValue": "x"')) as never,
      noFormer,
      context,
    ),
  );
  expect(broken.violations.map(({ path }) => path)).toEqual(["pages.0.elements.0.defaultValue"]);
});

test("a change of the default of an answered question affects results", () => {
  const before = built({ defaultValue: "Soup" });
  const after = { ...before, logic: { defaultValue: before.choices![2]!.id } };
  const answered = new Map([[before.questionId, { responses: 3, byKey: new Map() }]]);
  const changes = compareDefinitions(surveyOf(before), surveyOf(after), answered, (text) => text);
  expect(changes).toMatchObject([{ kind: "default_changed", class: "results_affecting", affectedResponses: 3 }]);
});
