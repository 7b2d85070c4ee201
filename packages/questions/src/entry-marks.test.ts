import { describe, expect, test } from "vitest";
import { countingIds, idsOf, sampleQuestion, surprises } from "../test/sample-question.ts";
import { questionTypeOf } from "./catalogue.ts";
import { editElement } from "./edits/edit-element.ts";
import { mergeVersions } from "./merge-versions.ts";
import { buildQuestions } from "./new-questions.ts";
import { valueSchemaOf } from "./answers/answers-schema.ts";
import { Check } from "typebox/schema";

const question = sampleQuestion("multiple_choice", {
  multipleAnswers: true,
  choices: [
    "A",
    { text: "B", freeText: true, code: "2" },
    { text: "C", freeText: true },
    { text: "No", exclusive: true },
  ],
  typeSettings: { other: { enabled: true }, minSelections: 2 },
});
const [a, b, c, none] = idsOf(question.choices) as [string, string, string, string];
const other = (question.typeSettings["other"] as { choiceId: string }).choiceId;
const withText = (choiceId: string, otherText: unknown) => ({ choiceId, otherText });

test("an exclusive choice goes alone, also where two are the least, and several choices take texts", () => {
  const good = [[a, b], [none], [withText(b, "x"), withText(c, "y"), withText(other, "z")]];
  const bad: [unknown, string, string][] = [
    [[a, none], "1", "together with others"],
    [[none, withText(other, "x")], "0", "together with others"],
    [[withText(a, "x"), b], "0.otherText", "freeText"],
    [[withText(b, " "), a], "0.otherText", "must"],
    [[withText(b, "x".repeat(1_001)), a], "0.otherText", "1000"],
    [[b], "", "at least 2"],
  ];
  expect(surprises(question, { good, bad })).toEqual([]);
  for (const value of good) expect(Check(valueSchemaOf(question), value)).toBe(true);
});

test("the texts have their own columns, Other last", () => {
  const type = questionTypeOf(question);
  const columns = type.exportColumns(question);
  expect(columns.slice(-3).map(({ id, text, about }) => [id, text, about?.entryCode])).toEqual([
    [`${question.questionId}.${b}.otherText`, "What?: B (text)", "2"],
    [`${question.questionId}.${c}.otherText`, "What?: C (text)", undefined],
    [`${question.questionId}.otherText`, "What?: Other (text)", undefined],
  ]);
  expect(type.exportCells(question, [a, withText(b, "x"), withText(other, "z")])).toEqual([
    1,
    1,
    0,
    0,
    1,
    "x",
    null,
    "z",
  ]);
  expect(type.exportCells(question, null)).toEqual(Array.from({ length: 8 }, () => null));
});

describe("nothing chosen", () => {
  const empty = (fields: object, typeSettings: object) =>
    sampleQuestion("multiple_choice", { multipleAnswers: true, ...fields, typeSettings });

  test("is an answer where minSelections is 0, and counts without counting for a choice", () => {
    const optional = empty({}, { minSelections: 0 });
    const type = questionTypeOf(optional);
    expect([type.isEmpty([]), type.checkValue(optional, []), type.tally(optional, [])]).toEqual([
      false,
      [],
      { buckets: {} },
    ]);
    expect(type.exportCells(optional, [])).toEqual([0, 0]);
    expect(type.exportCells(optional, null)).toEqual([null, null]);
    expect(Check(valueSchemaOf(optional), [])).toBe(true);
  });

  test.each([
    [{}, {}],
    [{}, { minSelections: 1 }],
    [{ required: true }, { minSelections: 0 }],
  ])("is none with %j and settings %j", (fields, settings) => {
    const asked = empty(fields, settings);
    expect(questionTypeOf(asked).checkValue(asked, [])).toMatchObject([{ path: "" }]);
    expect(Check(valueSchemaOf(asked), [])).toBe(false);
  });
});

test("marks that a type does not take are refused at their place", () => {
  const build = (type: string, fields: object) => buildQuestions([{ type, text: "?", ...fields }], countingIds());
  expect(build("dropdown", { choices: [{ text: "A", exclusive: true }] })).toMatchObject({
    violations: [{ path: "questions.0.choices.0.exclusive" }],
  });
  expect(build("image_choice", { choices: [{ text: "A", freeText: true }] })).toMatchObject({
    violations: [{ path: "questions.0.choices.0.freeText" }],
  });
  expect(build("matrix", { rows: [{ text: "A", pinned: "yes" }] })).toMatchObject({
    violations: [{ path: "questions.0.rows.0.pinned" }],
  });
  expect(
    build("matrix", { rows: [{ label: "A", pinned: true }], columns: [{ text: "C", pinned: true }] }),
  ).toMatchObject({
    questions: [{ question: { rows: [{ pinned: true }], columns: [{ pinned: true }] } }],
  });
  const dropdown = sampleQuestion("dropdown");
  const named = { choiceId: dropdown.choices![0]!.id, questionId: dropdown.questionId, newTitle: "A", freeText: true };
  expect(editElement("choice", dropdown, named, { newId: countingIds(), isAnswered: () => false })).toEqual({
    violations: [{ path: "freeText", message: "is not supported by dropdown" }],
  });
});

test("an absent mark is unchanged, false removes it, and an entry without marks has none of the fields", () => {
  const edit = (name: "choice" | "choices" | "settings", input: object) => {
    const outcome = editElement(name, question, input, { newId: countingIds(), isAnswered: () => true });
    if (!("question" in outcome)) throw new Error(JSON.stringify(outcome));
    return outcome.question.choices!;
  };
  const { questionId } = question;
  expect(edit("choice", { choiceId: b, questionId, newTitle: "B2" })[1]).toMatchObject({ text: "B2", freeText: true });
  expect(edit("choice", { choiceId: b, questionId, newTitle: "B", freeText: false, pinned: true })[1]).toEqual({
    id: b,
    text: "B",
    code: "2",
    pinned: true,
    retired: false,
  });
  const listed = [a, b, c].map((choiceId) => ({ choiceId, title: "X", ...(choiceId === c && { freeText: false }) }));
  expect(edit("choices", { choices: listed }).map(({ freeText, retired }) => [freeText, retired])).toEqual([
    [undefined, false],
    [true, false],
    [undefined, false],
    [undefined, true],
  ]);
  const settings = {
    choices: [
      { id: a, text: "A", pinned: true },
      { id: b, text: "B" },
      { id: none, text: "No" },
    ],
  };
  expect(edit("settings", { settings })).toMatchObject([
    { pinned: true },
    { freeText: true },
    { exclusive: true },
    { retired: true },
  ]);
});

test("a former text of a choice stays valid where answers are checked again", () => {
  const without = { ...question, choices: question.choices!.map((choice) => ({ ...choice, freeText: false })) };
  const value = [a, withText(b, "x")];
  const type = questionTypeOf(question);
  expect(type.checkValue(without, value)).toMatchObject([{ path: "1.otherText" }]);
  expect(mergeVersions([question, without]).choices).toMatchObject([{ freeText: false }, { freeText: true }, {}, {}]);
  expect(type.checkValue(without, value, { allowRetired: true })).toEqual([]);
});
