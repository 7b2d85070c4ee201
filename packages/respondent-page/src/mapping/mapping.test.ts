import { publicDefinition, questionTypeOf, typeNames, type PublicElement, type Question } from "@canvass/questions";
import * as fc from "fast-check";
import { SurveyModel } from "survey-core";
import { describe, expect, test } from "vitest";
import { pageOf, questionsOf } from "../../test/sample-survey.ts";
import { en } from "../words/en.ts";
import { allowedKeys } from "./allowed-keys.ts";
import { mappedNames, mappedTypeOf } from "./mapped-types.ts";
import { pageJson } from "./page-json.ts";

const four = ["Red", "Green", "Blue", "White"];
const other = { other: { enabled: true } };

/** Questions with answers. `answers` gets the question, for the ids of its choices, rows and columns. */
const cases: [name: string, input: Record<string, unknown>, answers: (question: Question) => unknown[]][] = [
  ["short_text", {}, () => ["Ann"]],
  ["short_text", { typeSettings: { format: "email", minLength: 3 } }, () => ["a@b.example"]],
  ["long_text", {}, () => ["Two\nlines"]],
  ["number", { typeSettings: { min: -3, max: 9, decimals: 3 } }, () => [-3, 0, 4.25, 1.234]],
  ["multiple_choice", { choices: four }, ({ choices }) => [choices![1]!.id]],
  ["multiple_choice", { choices: four, typeSettings: other }, (q) => [{ choiceId: otherOf(q), otherText: "x" }]],
  [
    "multiple_choice",
    { choices: four, multipleAnswers: true, typeSettings: other },
    (q) => [
      [q.choices![0]!.id, q.choices![3]!.id],
      [q.choices![2]!.id, { choiceId: otherOf(q), otherText: "Pink" }],
    ],
  ],
  [
    "multiple_choice",
    { choices: [{ text: "Red", freeText: true }, "Green"] },
    (q) => [{ choiceId: q.choices![0]!.id, otherText: "dark" }, q.choices![1]!.id],
  ],
  [
    "multiple_choice",
    {
      choices: [
        { text: "Red", freeText: true },
        { text: "Green", freeText: true },
        "Blue",
        { text: "No", exclusive: true },
      ],
      multipleAnswers: true,
      typeSettings: { ...other, minSelections: 0 },
    },
    (q) => [
      [],
      [q.choices![2]!.id],
      [
        { choiceId: q.choices![0]!.id, otherText: "dark" },
        { choiceId: q.choices![1]!.id, otherText: "light" },
        q.choices![2]!.id,
        { choiceId: otherOf(q), otherText: "Pink" },
      ],
      [q.choices![3]!.id],
    ],
  ],
  ["dropdown", { choices: four }, ({ choices }) => [choices![2]!.id]],
  ["image_choice", { choices: four.map((text) => ({ text })) }, ({ choices }) => [choices![2]!.id]],
  [
    "image_choice",
    { choices: four.map((text) => ({ text })), multipleAnswers: true, typeSettings: other },
    (q) => [[q.choices![0]!.id], [q.choices![1]!.id, { choiceId: otherOf(q), otherText: "None of them" }]],
  ],
  ["yes_no", {}, () => [true, false]],
  ["rating", { typeSettings: { style: "number", labels: { 1: "Low", 3: "Middle" } } }, () => [1, 5]],
  ["nps", { subject: "us" }, () => [0, 10]],
  ["slider", { typeSettings: { min: -1, max: 1, step: 0.5 } }, () => [-1, 0, 0.5]],
  ["date_time", {}, () => ["2026-02-28"]],
  ["date_time", { typeSettings: { mode: "time", min: "08:00" } }, () => ["17:30"]],
  ["matrix", { rows: four, columns: four }, (q) => [{ [q.rows![0]!.id]: q.columns![1]!.id }]],
  [
    "matrix",
    { rows: four, columns: four, multipleAnswers: true },
    (q) => [{ [q.rows![1]!.id]: [q.columns![1]!.id, q.columns![2]!.id] }],
  ],
  [
    "dropdown_matrix",
    {
      rows: four,
      columns: [
        { text: "One", options: four },
        { text: "Two", options: four },
      ],
    },
    ({ rows, columns }) => [
      { [rows![0]!.id]: { [columns![0]!.id]: columns![0]!.options![1]!.id, [columns![1]!.id]: "" } },
      { [rows![3]!.id]: { [columns![1]!.id]: "" } },
    ],
  ],
  ["ranking", { choices: four }, ({ choices }) => [choices!.map(({ id }) => id).toReversed()]],
  ["constant_sum", { choices: four }, ({ choices }) => [{ [choices![0]!.id]: 33.1, [choices![1]!.id]: 66.9 }]],
  ["consent", { typeSettings: { mustAccept: true } }, () => [true]],
  ["consent", { required: true }, () => [true, false]],
  ["contact_info", {}, () => [{ firstName: "Ann", email: "ann@example.com" }]],
  [
    "form",
    { rows: ["Street", { text: "Flats", format: "number" }, { text: "Since", format: "date" }] },
    ({ rows }) => [{ [rows![0]!.id]: "Main", [rows![1]!.id]: 2.5, [rows![2]!.id]: "2026-01-31" }],
  ],
];

function otherOf({ typeSettings }: Question): string | null {
  return (typeSettings["other"] as { choiceId: string | null }).choiceId;
}

function drawn(question: Question) {
  const { pages } = publicDefinition({ pages: [pageOf([question])] });
  const model = new SurveyModel({ pages: [pageJson(pages[0]!, null, en)] });
  return { model, element: pages[0]!.elements[0]! };
}

/** Puts an answer into SurveyJS and reads it again. */
function throughSurveyjs(model: SurveyModel, element: PublicElement, value: unknown): unknown {
  const mapped = mappedTypeOf(element)!;
  model.data = {};
  for (const [name, each] of Object.entries(mapped.toData(value, element.id, element))) model.setValue(name, each);
  return mapped.toValue(model.data, element.id, element);
}

test("every type is mapped", () => {
  expect(mappedNames.toSorted()).toEqual([...typeNames].toSorted());
});

describe.each(cases)("an answer to %s %j", (type, input, answers) => {
  const [question] = questionsOf({ type, text: "What?", ...input }) as [Question];
  const { model, element } = drawn(question);

  test("goes to SurveyJS and comes back", () => {
    for (const value of answers(question)) {
      expect(questionTypeOf(question).checkValue(question, value)).toEqual([]);
      expect(throughSurveyjs(model, element, value)).toEqual(value);
      expect(model.validate(false)).toBe(true);
    }
  });

  test("is missing until it is given, unless an untouched question counts as answered", () => {
    const untouched = mappedTypeOf(element)!.toValue({}, element.id, element);
    const isEmpty = element.settings["minSelections"] === 0;
    expect(untouched).toEqual(isEmpty ? [] : type === "consent" && element.required ? false : undefined);
  });

  test("sampled at random goes to SurveyJS and comes back unchanged", () => {
    const random = fc.sample(fc.float({ min: 0, max: Math.fround(0.999), noNaN: true }), 200);
    let last = 0;
    const sample = () => questionTypeOf(question).sample(question, () => random[last++ % random.length]!);
    const values = Array.from({ length: 10 }, sample).filter((value) => value !== undefined);
    expect(values.map((value) => throughSurveyjs(model, element, value))).toEqual(values);
  });
});

test("a date with time is local time, with its offset", () => {
  const [question] = questionsOf({ type: "date_time", text: "When?", typeSettings: { mode: "datetime" } }) as [
    Question,
  ];
  const { model, element } = drawn(question);
  const value = throughSurveyjs(model, element, "2026-01-31T17:30Z") as string;
  expect(value).toMatch(/^2026-0[12]-\d\dT\d\d:\d\d[+-]\d\d:\d\d$/);
  expect(Date.parse(value)).toBe(Date.parse("2026-01-31T17:30:00Z"));
  expect(questionTypeOf(question).checkValue(question, value)).toEqual([]);
});

test("JSON for SurveyJS has allowed keys only, for any texts of a survey", () => {
  const hostile = '{alert(1)} <img src=x onerror=alert(1)> "visibleIf": "1=1"';
  for (const [type, input] of cases) {
    const [question] = questionsOf({ text: hostile, helpText: hostile, type, ...input }) as [Question];
    const { pages } = publicDefinition({ pages: [pageOf([question], { title: hostile })] });
    expect(keysOf(pageJson(pages[0]!, null, en)).filter((key) => !allowedKeys.has(key))).toEqual([]);
  }
});

test("texts that SurveyJS shows as HTML are escaped", () => {
  const hostile = `<script>alert("1")</script>&'`;
  const [statement] = questionsOf({ type: "statement", text: hostile, typeSettings: { text: hostile } }) as [Question];
  const [{ html } = { html: "" }] = pageJson(publicDefinition({ pages: [pageOf([statement])] }).pages[0]!, null, en)
    .elements as unknown as { html: string }[];
  expect(html).not.toContain("<script");
  expect(html).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;");
});

function keysOf(json: unknown): string[] {
  if (Array.isArray(json)) return json.flatMap(keysOf);
  if (typeof json !== "object" || json === null) return [];
  return Object.entries(json).flatMap(([key, value]) => [key, ...keysOf(value)]);
}
