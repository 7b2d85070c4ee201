import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countingIds, idsOf, sampleQuestion } from "../test/sample-question.ts";
import type { Question } from "./definition.ts";
import { applyElementSettings } from "./element-settings.ts";

let fresh = 0;
const newId = () => `new${String(++fresh).padStart(13, "0")}`;

function put(question: Question, body: unknown, answered: readonly string[] = []): Question {
  const result = applyElementSettings(question, body, { newId, isAnswered: (id) => answered.includes(id) });
  if ("violations" in result) throw new Error(JSON.stringify(result.violations));
  return result.question;
}

function violationsOf(question: Question, body: unknown): string[] {
  const result = applyElementSettings(question, body, { newId, isAnswered: () => true });
  return "violations" in result ? result.violations.map(({ path, message }) => `${path} ${message}`) : [];
}

test("typeSettings are replaced as a whole: omitted ones return to their defaults", () => {
  const question = sampleQuestion("rating", { required: true, typeSettings: { steps: 6, style: "heart" } });
  const after = put(question, { settings: { typeSettings: { steps: 4 } } });
  expect(after).toEqual({ ...question, typeSettings: { steps: 4, style: "star", labels: {}, textFormat: "plain" } });
  expect(put(question, { settings: { typeSettings: {}, responseValidation: {} } })).toMatchObject({
    typeSettings: { steps: 5 },
    responseValidation: { required: false },
  });
});

test("an object that is left out stays, and so do wording and lists", () => {
  const question = sampleQuestion("multiple_choice", {
    helpText: "h",
    choices: ["A", "B"],
    typeSettings: { shuffle: true },
  });
  expect(put(question, { settings: { responseValidation: { required: true } } })).toEqual({
    ...question,
    responseValidation: { required: true },
  });
  expect(put(question, { settings: {}, questionText: "New?", helpText: null })).toEqual({
    ...question,
    text: "New?",
    helpText: null,
  });
  expect(put(question, { settings: {}, questionText: null })).toMatchObject({ text: null });
});

test("a list is the full list: ids keep, new ones are made, answered ones retire, others go", () => {
  const question = sampleQuestion("dropdown", { choices: ["A", "B", "C"] });
  const [a = "", b = "", c = ""] = idsOf(question.choices);
  const body = { settings: { typeSettings: { choices: ["D", { id: a, text: "A!" }] } } };
  expect(put(question, body, [b]).choices).toEqual([
    { id: expect.stringMatching(/^new/), text: "D", retired: false },
    { id: a, text: "A!", retired: false },
    { id: b, text: "B", retired: true },
  ]);
  const beside = put(question, { settings: { choices: [{ id: c, text: "C" }] } }, []);
  expect(beside.choices).toEqual([{ id: c, text: "C", retired: false }]);
});

test("what a read shows can be written back unchanged", () => {
  for (const type of ["multiple_choice", "image_choice", "dropdown_matrix", "matrix", "contact_info", "nps"]) {
    const question = sampleQuestion(
      type,
      type === "multiple_choice" ? { typeSettings: { other: { enabled: true } } } : {},
    );
    const { typeSettings, responseValidation, choices, rows, columns, text, helpText } = question;
    const lists = Object.fromEntries(Object.entries({ choices, rows, columns }).filter(([, list]) => list));
    const body = { settings: { typeSettings, responseValidation, ...lists }, questionText: text, helpText };
    expect(put(question, body)).toEqual(question);
  }
});

test("a retired entry comes back by being named again, or stays retired", () => {
  const question = sampleQuestion("dropdown", { choices: ["A", "B"] });
  const [a = "", b = ""] = idsOf(question.choices);
  const retired = put(question, { settings: { choices: [{ id: a, text: "A" }] } }, [b]);
  expect(
    put(retired, {
      settings: {
        choices: [
          { id: a, text: "A" },
          { id: b, text: "B" },
        ],
      },
    }).choices,
  ).toEqual(question.choices);
  expect(put(retired, { settings: { choices: retired.choices } })).toEqual(retired);
  expect(violationsOf(retired, { settings: { choices: [{ id: b, text: "B", retired: true }] } })).toEqual([
    "settings.choices must have an entry that is not retired",
  ]);
});

test("options of a column follow the same rules", () => {
  const question = sampleQuestion("dropdown_matrix", { columns: [{ text: "C", options: ["O", "P"] }] });
  const [column] = question.columns ?? [];
  const [o = "", p = ""] = idsOf(column?.options);
  const columns = [{ id: column?.id, text: "C", options: [{ id: p, text: "P!" }] }, "D"];
  const after = put(question, { settings: { typeSettings: { columns } } }, [o]);
  expect(after.columns?.[0]?.options).toEqual([
    { id: p, text: "P!", retired: false },
    { id: o, text: "O", retired: true },
  ]);
  expect(after.columns?.[1]?.options).toHaveLength(2);
  const kept = put(question, { settings: { columns: [{ id: column?.id, text: "C2" }] } });
  expect(kept.columns?.[0]?.options).toEqual(column?.options);
});

test("Other keeps its id when it is switched off and on", () => {
  const on = sampleQuestion("multiple_choice", { typeSettings: { other: { enabled: true } } });
  const off = put(on, { settings: { typeSettings: {} } });
  expect(off.typeSettings["other"]).toMatchObject({ enabled: false, choiceId: expect.any(String) });
  expect(put(off, { settings: { typeSettings: { other: { enabled: true } } } })).toEqual(on);
});

test("an NPS question always asks its sentence", () => {
  const question = sampleQuestion("nps", { subject: "A" });
  const settings = { typeSettings: { subject: "B" } };
  const text = "How likely are you to recommend B to a friend or colleague?";
  for (const questionText of [undefined, text, question.text]) {
    expect(put(question, { settings, ...(questionText !== undefined && { questionText }) }).text).toBe(text);
  }
  const refused = "questionText is made of settings.typeSettings.subject; leave it out";
  expect(violationsOf(question, { settings, questionText: "Mine" })).toEqual([refused]);
  expect(violationsOf(question, { settings: {}, questionText: null, name: "1" })).toEqual([
    "name must be a letter, then letters, digits and _, at most 64 characters",
    refused,
  ]);
});

test.each([
  [null, [" must be an object"]],
  [{}, ["settings is required"]],
  [{ settings: [] }, ["settings must be an object"]],
  [
    { settings: { typeSettings: 1, responseValidation: null } },
    ["settings.typeSettings must be an object", "settings.responseValidation must be an object"],
  ],
  [
    { settings: { steps: 3 } },
    ["settings.steps is not a known field; known are typeSettings, responseValidation, choices, rows, columns"],
  ],
  [
    { settings: { typeSettings: { steps: 1, colour: 2 } } },
    [
      "settings.typeSettings.steps must be a whole number of 2 to 10",
      "settings.typeSettings.colour is not a known field; known are steps, style, labels, textFormat",
    ],
  ],
  [{ settings: { typeSettings: { choices: ["a"] } } }, ["settings.typeSettings.choices is not supported by rating"]],
  [
    { settings: { responseValidation: { required: 1, max: 3 } } },
    [
      "settings.responseValidation.required must be true or false",
      "settings.responseValidation.max is not a known field; known are required",
    ],
  ],
  [
    { settings: {}, questionText: 5, helpText: {}, text: "x" },
    [
      "text is not a known field; known are settings, questionText, helpText, name, showIf, requiredIf, constraints, defaultValue, choicesFrom",
      "questionText must be text of 1 to 4000 characters or null",
      "helpText must be text of at most 4000 characters or null",
    ],
  ],
])("a rating refuses %j", (body, violations) => {
  expect(violationsOf(sampleQuestion("rating"), body)).toEqual(violations);
});

test("ids of other questions are refused", () => {
  const question = sampleQuestion("dropdown");
  const [a = ""] = idsOf(question.choices);
  const choices = [
    { id: a, text: "A" },
    { id: a, text: "again" },
    { id: "zzzzzzzzzzzzzzzz", text: "foreign" },
  ];
  expect(violationsOf(question, { settings: { choices } }).map((violation) => violation.split(" ")[0])).toEqual([
    "settings.choices.1.id",
    "settings.choices.2.id",
  ]);
});

test("no JSON makes it throw, and a refused body changes nothing", () => {
  const questions = ["multiple_choice", "dropdown_matrix", "rating", "contact_info"].map((type) =>
    sampleQuestion(type),
  );
  const settings = fc.dictionary(
    fc.constantFrom("typeSettings", "responseValidation", "choices", "columns", "__proto__"),
    fc.jsonValue({ maxDepth: 3 }),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...questions),
      fc.oneof(
        fc.jsonValue(),
        settings.map((settings) => ({ settings })),
      ),
      (question, body) => {
        const before = structuredClone(question);
        applyElementSettings(question, body, { newId: countingIds(), isAnswered: () => true });
        expect(question).toEqual(before);
      },
    ),
    { numRuns: 1_000 },
  );
});
