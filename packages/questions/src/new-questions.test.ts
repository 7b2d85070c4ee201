import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countingIds } from "../test/sample-question.ts";
import { typeNames } from "./catalogue.ts";
import { finish } from "./finish.ts";
import { buildingQuestions, buildQuestions } from "./new-questions.ts";

function violationsOf(input: unknown): string[] {
  const result = buildQuestions(input, countingIds());
  return "violations" in result ? result.violations.map(({ path, message }) => `${path} ${message}`) : [];
}

function build(fields: Record<string, unknown>) {
  const result = buildQuestions([{ text: "What?", ...fields }], countingIds());
  if ("violations" in result) throw new Error(JSON.stringify(result.violations));
  return result.questions[0]!;
}

test("a type is named or numbered and gets its defaults", () => {
  for (const type of ["rating", 8]) {
    expect(build({ type })).toEqual({
      pageTitle: null,
      question: {
        elementId: expect.stringMatching(/^[a-z0-9]{16}$/),
        questionId: expect.stringMatching(/^[a-z0-9]{16}$/),
        type: 8,
        text: "What?",
        helpText: null,
        typeSettings: { steps: 5, style: "star", labels: {}, textFormat: "plain" },
        responseValidation: { required: false },
      },
    });
  }
});

test.each([
  ["multiple_choice", { choices: ["Choice 1", "Choice 2"] }],
  ["dropdown", { choices: ["Choice 1", "Choice 2"] }],
  ["image_choice", { choices: ["Choice 1", "Choice 2"] }],
  ["ranking", { choices: ["Choice 1", "Choice 2"] }],
  ["constant_sum", { choices: ["Choice 1", "Choice 2"] }],
  ["matrix", { rows: ["Row 1", "Row 2"], columns: ["Column 1", "Column 2"] }],
  ["dropdown_matrix", { rows: ["Row 1", "Row 2"], columns: ["Column 1", "Column 2"] }],
])("%s starts with two entries per list", (type, expected) => {
  const { question } = build({ type });
  const lists = { choices: question.choices, rows: question.rows, columns: question.columns };
  for (const [name, list] of Object.entries(lists)) {
    expect(list?.map(({ text }) => text)).toEqual((expected as Record<string, string[]>)[name]);
    for (const entry of list ?? [])
      expect(entry).toMatchObject({ id: expect.stringMatching(/^[a-z0-9]{16}$/), retired: false });
  }
  const options = question.columns?.flatMap((column) => column.options ?? []) ?? [];
  expect(options).toHaveLength(type === "dropdown_matrix" ? 4 : 0);
});

test("every id is its own", () => {
  const { question } = build({ type: 13 });
  const ids = JSON.stringify(question).match(/[0-9a-z]{16}/g) ?? [];
  expect(ids).toHaveLength(2 + 2 + 2 + 4);
  expect(new Set(ids).size).toBe(ids.length);
});

test("all fields of a question are kept", () => {
  const { question, pageTitle } = build({
    type: "multiple_choice",
    helpText: "Choose.",
    required: true,
    choices: ["Red", { text: "Green" }],
    multipleAnswers: true,
    pageTitle: "Colours",
    typeSettings: { shuffle: true, other: { enabled: true, label: "Another" } },
  });
  expect(pageTitle).toBe("Colours");
  expect(question).toMatchObject({
    helpText: "Choose.",
    responseValidation: { required: true },
    choices: [{ text: "Red" }, { text: "Green" }],
    typeSettings: {
      multipleAnswers: true,
      shuffle: true,
      minSelections: null,
      other: { enabled: true, label: "Another", choiceId: expect.any(String) },
    },
  });
});

test("multipleAnswers makes a matrix multiple", () => {
  expect(build({ type: "matrix", multipleAnswers: true }).question.typeSettings).toMatchObject({ multiple: true });
});

test("lists may be inside typeSettings, and validation next to it", () => {
  const inside = build({ type: 5, typeSettings: { choices: ["A"] }, responseValidation: { required: true } }).question;
  expect(inside).toMatchObject({ choices: [{ text: "A" }], responseValidation: { required: true } });
  expect(inside.typeSettings).not.toHaveProperty("choices");
});

describe("faults", () => {
  test.each([
    [undefined, "questions is required"],
    [null, "questions must be a list"],
    [{}, "questions must be a list"],
    [[], "questions must have at least 1"],
    [Array.from({ length: 1_001 }, () => ({})), "questions must have at most 1000"],
    [[null], "questions.0 must be an object"],
    [[[]], "questions.0 must be an object"],
    [["rating"], "questions.0 must be an object"],
  ])("of the list itself: %j", (input, violation) => {
    expect(violationsOf(input)).toEqual([expect.stringContaining(violation)]);
  });

  test.each([
    [{ text: "x" }, "type is required"],
    [{ type: "essay", text: "x" }, "type must be one of short_text, long_text"],
    [{ type: 9999, text: "x" }, "type must be one of"],
    [{ type: "8", text: "x" }, "type must be one of"],
    [{ type: 8 }, "text is required"],
    [{ type: 8, text: "  " }, "text must be text of 1 to 4000"],
    [{ type: 8, text: null }, "text must be text of 1 to 4000"],
    [{ type: 8, text: "x".repeat(4_001) }, "text must be text of 1 to 4000"],
    [{ type: 8, text: "a\0" }, "text must not contain NUL"],
    [{ type: 8, text: "x", helpText: 5 }, "helpText must be text"],
    [{ type: 8, text: "x", required: "yes" }, "required must be true or false"],
    [{ type: 8, text: "x", pageTitle: "" }, "pageTitle must be text of 1 to 200"],
    [{ type: 8, text: "x", colour: "red" }, "colour is not a known field"],
    [{ type: 8, text: "x", rows: ["a"] }, "rows is not supported by rating"],
    [{ type: 8, text: "x", columns: ["a"] }, "columns is not supported by rating"],
    [{ type: 8, text: "x", choices: ["a"] }, "choices is not supported by rating"],
    [{ type: 8, text: "x", multipleAnswers: false }, "multipleAnswers is not supported by rating"],
    [{ type: 8, text: "x", subject: "us" }, "subject is not supported by rating"],
    [{ type: 9, text: "x", subject: " " }, "subject must be text of 1 to 200"],
    [{ type: 9, text: "x", subject: 5 }, "subject must be text of 1 to 200"],
    [{ type: 4, text: "x", multipleAnswers: "yes" }, "multipleAnswers must be true or false"],
    [
      { type: 4, text: "x", multipleAnswers: true, typeSettings: { multipleAnswers: true } },
      "multipleAnswers is given twice",
    ],
    [{ type: 4, text: "x", choices: [] }, "choices must have at least 1"],
    [{ type: 4, text: "x", choices: "a,b" }, "choices must be a list"],
    [{ type: 4, text: "x", choices: ["a", ""] }, "choices.1 must be text of 1 to 500"],
    [{ type: 4, text: "x", choices: ["a", 5] }, "choices.1 must be text of 1 to 500 characters or an object"],
    [{ type: 4, text: "x", choices: [{ text: "a", id: "0000000000000001" }] }, "choices.0.id is not a known field"],
    [{ type: 4, text: "x", choices: [{}] }, "choices.0.text is required"],
    [{ type: 4, text: "x", choices: Array.from({ length: 201 }, String) }, "choices must have at most 200"],
    [{ type: 4, text: "x", choices: ["a"], typeSettings: { choices: ["b"] } }, "typeSettings.choices is given twice"],
    [{ type: 12, text: "x", columns: [{ text: "a", options: ["b"] }] }, "columns.0.options is not a known field"],
    [{ type: 13, text: "x", columns: [{ text: "a", options: [] }] }, "columns.0.options must have at least 1"],
    [{ type: 8, text: "x", typeSettings: [] }, "typeSettings must be an object"],
    [{ type: 8, text: "x", typeSettings: null }, "typeSettings must be an object"],
    [{ type: 8, text: "x", responseValidation: { min: 1 } }, "responseValidation.min is not a known field"],
    [{ type: 8, text: "x", responseValidation: null }, "responseValidation must be an object"],
    [{ type: 8, text: "x", responseValidation: 1 }, "responseValidation must be an object"],
    [{ type: 8, text: "x", required: true, responseValidation: { required: true } }, "required is given twice"],
    [{ type: 19, text: "x", required: true }, "required is not supported by statement"],
  ])("%j", (question, violation) => {
    expect(violationsOf([question])).toEqual([expect.stringContaining(`questions.0.${violation}`)]);
  });

  test("are all named at once, and nothing is built", () => {
    const questions = [
      { type: "rating", text: "fine" },
      { type: "essay", colour: 1 },
      { type: 4, text: "", choices: ["", { text: 1 }], rows: [], typeSettings: { shuffle: 1 } },
      "x",
    ];
    expect(violationsOf(questions).map((violation) => violation.split(" ")[0])).toEqual([
      "questions.1.text",
      "questions.1.colour",
      "questions.1.type",
      "questions.2.text",
      "questions.2.choices.0",
      "questions.2.choices.1.text",
      "questions.2.rows",
      "questions.2.typeSettings.shuffle",
      "questions.3",
    ]);
  });

  test("hostile keys are unknown fields", () => {
    const question = JSON.parse(
      '{"type": 8, "text": "x", "__proto__": {"required": true}, "typeSettings": {"__proto__": {"steps": 99}}}',
    );
    expect(violationsOf([question])).toEqual([
      expect.stringContaining("questions.0.__proto__ is not a known field"),
      expect.stringContaining("questions.0.typeSettings.__proto__ is not a known field"),
    ]);
  });
});

test("a text that cannot be converted to one is a violation", () => {
  const result = buildQuestions([{ type: "rating", text: [{ toString: "" }] }], countingIds());
  expect(result).toMatchObject({ violations: [{ path: "questions.0.text" }] });
});

test("no JSON makes it throw", () => {
  const field = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...typeNames), fc.integer({ min: 1, max: 20 }));
  const keys = [
    "type",
    "text",
    "choices",
    "rows",
    "columns",
    "typeSettings",
    "responseValidation",
    "required",
    "subject",
    "pageTitle",
    "multipleAnswers",
    "__proto__",
  ];
  const question = fc.dictionary(fc.constantFrom(...keys), field).map((object) => ({ type: 4, ...object }));
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.array(question)), (input) => {
      const result = buildQuestions(input, countingIds());
      const [list, length] =
        "violations" in result ? [result.violations, null] : [result.questions, (input as unknown[]).length];
      expect(list.length).toBe(length ?? Math.max(1, list.length));
    }),
    { numRuns: 1_000 },
  );
});

test("a flood of faults is cut off, and said so first", () => {
  const choices = Array.from({ length: 200 }, () => 1);
  const input = Array.from({ length: 1_000 }, () => ({ type: "multiple_choice", text: "Which?", choices }));
  const result = buildQuestions(input, countingIds());
  const violations = "violations" in result ? result.violations : [];
  expect(violations).toHaveLength(2_001);
  expect(violations[0]).toEqual({
    path: "questions",
    message: "have too many faults; the first 10 of 1000 are judged",
  });
});

test("invalid settings of a question whose text is made of them are violations", () => {
  for (const subject of [5, null, {}, ""]) {
    const told = violationsOf([{ type: "nps", text: "x", typeSettings: { subject } }]);
    expect(told.map((each) => each.split(" ", 1)[0])).toEqual(["questions.0.typeSettings.subject"]);
  }
});

test("a question with violations has no logic in the common validation", () => {
  const seen: unknown[] = [];
  const input = [
    { type: "short_text", text: "One?", constraints: "arguments" },
    { type: "short_text", text: "Two?", showIf: true },
  ];
  const result = finish(
    buildingQuestions(input, () => "0000000000000000", "questions", [
      function* (questions) {
        seen.push(...questions.map((built) => built?.question.logic));
        yield;
        return [];
      },
    ]),
  );
  expect(seen).toEqual([undefined, undefined]);
  expect("violations" in result && result.violations.map(({ path }) => path)).toEqual([
    "questions.0.constraints",
    "questions.1.showIf",
  ]);
});
