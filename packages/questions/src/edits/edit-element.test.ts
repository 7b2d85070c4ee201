import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idsOf, sampleQuestion } from "../../test/sample-question.ts";
import { linesOf } from "../../test/sample-survey.ts";
import { questionTypeOf, typeNames } from "../catalogue.ts";
import type { Question } from "../definition.ts";
import { editElement, elementEditViolations, type EditedElement } from "./edit-element.ts";
import { elementEdits, type ElementEditName } from "./element-edits.ts";

let fresh = 0;
const newId = () => `new${String(++fresh).padStart(13, "0")}`;
const names = Object.keys(elementEdits) as ElementEditName[];

function edit(
  name: ElementEditName,
  question: Question,
  input: unknown,
  answered: readonly string[] = [],
): EditedElement {
  const result = editElement(name, question, input, { newId, isAnswered: (id) => answered.includes(id) });
  if (!("question" in result)) throw new Error(JSON.stringify(result));
  return result;
}

function refusals(name: ElementEditName, question: Question, input: unknown): string[] {
  const result = editElement(name, question, input, { newId, isAnswered: () => false });
  return "violations" in result ? linesOf(result.violations) : [];
}

const textsOf = ({ choices = [] }: Question) => choices.map(({ text, retired }) => (retired ? `(${text})` : text));

const question = sampleQuestion("multiple_choice", {
  choices: ["A", "B", "C"],
  multipleAnswers: true,
  typeSettings: { other: { enabled: true }, minSelections: 3 },
});
const { questionId } = question;
const [a = "", b = "", c = ""] = idsOf(question.choices);
const retired = edit(
  "choices",
  question,
  {
    choices: [
      { choiceId: a, title: "A" },
      { choiceId: b, title: "B" },
    ],
  },
  [c],
).question;
const picky = sampleQuestion("multiple_choice", {
  choices: ["A", "B", "C"],
  multipleAnswers: true,
  typeSettings: { minSelections: 3 },
});
const full = sampleQuestion("multiple_choice", { choices: Array.from({ length: 200 }, (_, at) => `${at}`) });
const pictures = sampleQuestion("image_choice", {
  choices: [{ text: "A", imageUrl: "https://example.com/a.png" }, { text: "B" }],
});
const [pictureA = "", pictureB = ""] = idsOf(pictures.choices);
const nps = sampleQuestion("nps", { required: true });
const rating = sampleQuestion("rating", { required: true, typeSettings: { labels: { 1: "bad", 5: "good" } } });

describe("choices", () => {
  test("a choice is reworded, and keeps its id and its place", () => {
    const { question: after, ...ids } = edit("choice", question, { choiceId: b, questionId, newTitle: "B!" });
    expect(after).toEqual({ ...question, choices: question.choices!.with(1, { id: b, text: "B!", retired: false }) });
    expect(ids).toEqual({ addedIds: [], retiredIds: [], removedIds: [] });
  });

  test("a choice is added after the active ones", () => {
    const { question: after, addedIds } = edit("choice", retired, { choiceId: null, questionId, newTitle: "D" }, [c]);
    expect(textsOf(after)).toEqual(["A", "B", "D", "(C)"]);
    expect(addedIds).toEqual([after.choices![2]!.id]);
  });

  test("a picture stays when only its title is given, and changes when it is", () => {
    const input = { choiceId: pictureA, questionId: pictures.questionId, newTitle: "A!" };
    expect(edit("choice", pictures, input).question.choices![0]).toMatchObject({
      imageUrl: "https://example.com/a.png",
    });
    const other = edit("choice", pictures, { ...input, imageUrl: "https://example.com/b.png" });
    expect(other.question.choices![0]).toMatchObject({ text: "A!", imageUrl: "https://example.com/b.png" });
    expect(refusals("choice", pictures, { ...input, imageUrl: "http://example.com" })).toEqual([
      expect.stringMatching(/^imageUrl must be .*https/),
    ]);
  });

  test("a list is the whole list: an answered choice that is left out retires, another one goes", () => {
    const choices = [
      { choiceId: null, title: "D" },
      { choiceId: a, title: "A!" },
    ];
    const { question: after, ...ids } = edit("choices", { ...question, typeSettings: {} }, { choices }, [b]);
    expect(textsOf(after)).toEqual(["D", "A!", "(B)"]);
    expect(ids).toEqual({
      addedIds: [after.choices![0]!.id],
      retiredIds: [b],
      removedIds: expect.arrayContaining([c]),
    });
  });

  test("a list brings a retired choice back by its id, and keeps pictures it does not name", () => {
    const all = [a, b, c].map((choiceId) => ({ choiceId, title: choiceId }));
    expect(edit("choices", retired, { choices: all }).question.choices!.map((choice) => choice.retired)).toEqual([
      false,
      false,
      false,
    ]);
    const choices = [
      { choiceId: pictureB, title: "B", imageUrl: "https://example.com/b.png" },
      { choiceId: pictureA, title: "A" },
    ];
    expect(edit("choices", pictures, { choices }).question.choices!.map(({ imageUrl }) => imageUrl)).toEqual([
      "https://example.com/b.png",
      "https://example.com/a.png",
    ]);
  });

  test("an order names all that can be chosen; retired ones stay at the end", () => {
    expect(textsOf(edit("choiceOrder", question, { choiceIds: [c, a, b] }).question)).toEqual(["C", "A", "B"]);
    expect(textsOf(edit("choiceOrder", retired, { choiceIds: [b, a] }, [c]).question)).toEqual(["B", "A", "(C)"]);
  });

  test("a deleted choice retires when it was answered", () => {
    const gone = edit("deleteChoice", question, { choiceId: b });
    expect([textsOf(gone.question), gone.removedIds, gone.retiredIds]).toEqual([["A", "C"], [b], []]);
    const kept = edit("deleteChoice", question, { choiceId: b }, [b]);
    expect([textsOf(kept.question), kept.removedIds, kept.retiredIds]).toEqual([["A", "C", "(B)"], [], [b]]);
    for (const choiceId of [c, "gone"]) {
      const again = editElement("deleteChoice", retired, { choiceId }, { newId, isAnswered: () => true });
      expect(again).toEqual({ missing: "choice" });
    }
  });

  test("a retired choice stays when another edit has nothing to do with it", () => {
    const two = { ...retired, typeSettings: { ...retired.typeSettings, minSelections: 2 } };
    const edited = edit("deleteChoice", two, { choiceId: a }, [c]).question;
    expect(textsOf(edited)).toEqual(["B", "(C)"]);
    expect(edit("other", retired, { enabled: true, label: "More" }, [c]).question.choices).toEqual(retired.choices);
  });

  test("retired choices do not count towards the limit of active ones", () => {
    const { max } = questionTypeOf(question).lists.choices!;
    const titles = Array.from({ length: max }, (_, index) => ({
      choiceId: index < 2 ? [a, b][index] : null,
      title: `${index}`,
    }));
    const full = edit("choices", retired, { choices: titles }).question;
    expect(full.choices).toHaveLength(max + 1);
    const choiceIds = full.choices!.filter((choice) => !choice.retired).map(({ id }) => id);
    expect(edit("choiceOrder", full, { choiceIds: choiceIds.toReversed() }).question.choices?.at(-1)?.id).toBe(c);
    expect(textsOf(edit("choice", full, { choiceId: b, questionId, newTitle: "B2" }).question)).toContain("B2");
    expect(refusals("choice", full, { choiceId: null, questionId, newTitle: "one too many" })).toHaveLength(1);
  });

  test("Other is switched and named, and keeps its id", () => {
    const id = (question.typeSettings["other"] as { choiceId: string }).choiceId;
    const off = edit(
      "other",
      { ...question, typeSettings: { ...question.typeSettings, minSelections: null } },
      { enabled: false },
    );
    expect(off.question.typeSettings["other"]).toEqual({ enabled: false, label: "Other", choiceId: id });
    expect(off.retiredIds).toEqual([id]);
    const on = edit("other", off.question, { enabled: true, label: "None of these" });
    expect(on.question.typeSettings["other"]).toEqual({ enabled: true, label: "None of these", choiceId: id });
    const first = edit("other", pictures, { enabled: true });
    expect(first.addedIds).toHaveLength(1);
  });
});

describe("scales", () => {
  test("the labels of an NPS question are at its two ends", () => {
    expect(edit("npsLabel", nps, { side: "left", text: "Never" }).question.typeSettings).toMatchObject({
      leftLabel: "Never",
    });
    expect(edit("npsLabel", nps, { side: "right", text: "" }).question.typeSettings).toMatchObject({ rightLabel: "" });
  });

  test("only given settings of an NPS question change, and its text follows the subject", () => {
    const { question: after } = edit("npsSettings", nps, { subject: "Canvass" });
    expect(after.text).toBe("How likely are you to recommend Canvass to a friend or colleague?");
    expect(after.responseValidation).toEqual({ required: true });
    expect(edit("npsSettings", nps, { required: false }).question).toEqual({
      ...nps,
      responseValidation: { required: false },
    });
  });

  test("a rating is labelled position by position, and an empty text takes a label off", () => {
    const labels = (input: unknown) => edit("ratingLabel", rating, input).question.typeSettings["labels"];
    expect(labels({ position: 3, text: "so so" })).toEqual({ 1: "bad", 3: "so so", 5: "good" });
    expect(labels({ position: 5, text: "great" })).toEqual({ 1: "bad", 5: "great" });
    expect(labels({ position: 1, text: "" })).toEqual({ 5: "good" });
  });

  test("steps and style of a rating change, and omitted fields do not", () => {
    expect(edit("ratingSettings", rating, { steps: 7, style: "heart", required: false }).question).toEqual({
      ...rating,
      typeSettings: { steps: 7, style: "heart", labels: { 1: "bad", 5: "good" }, textFormat: "plain" },
      responseValidation: { required: false },
    });
    expect(edit("ratingSettings", rating, {}).question).toEqual(rating);
  });
});

test("settings are edited by the rules of element-settings.ts, and report added and removed entries", () => {
  const matrix = sampleQuestion("dropdown_matrix", { rows: ["R", "S"], columns: [{ text: "C", options: ["O", "P"] }] });
  const [row = "", other = ""] = idsOf(matrix.rows);
  const [column] = matrix.columns!;
  const [o = "", p = ""] = idsOf(column!.options);
  const settings = {
    rows: [{ id: row, text: "R" }],
    columns: [{ id: column!.id, text: "C", options: [{ id: p, text: "P" }, "Q"] }],
  };
  const { question: after, ...ids } = edit("settings", matrix, { settings, questionText: "Which?" }, [other]);
  expect(after.text).toBe("Which?");
  expect(ids).toEqual({ addedIds: [after.columns![0]!.options![1]!.id], retiredIds: [other], removedIds: [o] });
});

const bulk = (...choices: unknown[]) => ({ choices });

test.each([
  [
    "settings",
    rating,
    { settings: { typeSettings: { steps: 1 } } },
    ["settings.typeSettings.steps must be a whole number of 2 to 10"],
  ],
  ["choice", rating, { choiceId: null, questionId, newTitle: "x" }, ["elementId is not a question with choices"]],
  ["choice", question, null, ["body must be an object"]],
  ["choice", question, {}, ["choiceId is required", "questionId is required", "newTitle is required"]],
  [
    "choice",
    question,
    { choiceId: 1, questionId, newTitle: " " },
    ["choiceId must be the id of a choice or null", "newTitle must be text of 1 to 500 characters"],
  ],
  [
    "choice",
    question,
    { choiceId: "gone", questionId: "other", newTitle: "x" },
    ["questionId is not the question of this element", "choiceId is not a choice of this question"],
  ],
  [
    "choice",
    question,
    { choiceId: a, questionId, newTitle: "x", imageUrl: "https://example.com" },
    ["imageUrl is not supported by multiple_choice"],
  ],
  ["choices", nps, bulk({ choiceId: null, title: "x" }), ["elementId is not a question with choices"]],
  ["choices", question, bulk(), ["choices must have at least 1 item"]],
  [
    "choices",
    question,
    bulk({ choiceId: a, title: "" }, { title: "x" }, "y"),
    [
      "choices.0.title must be text of 1 to 500 characters",
      "choices.1.choiceId is required",
      "choices.2 must be an object",
    ],
  ],
  [
    "choices",
    question,
    bulk({ choiceId: a, title: "A" }, { choiceId: a, title: "B" }, { choiceId: "gone", title: "C" }),
    ["choices.1.choiceId is named twice", "choices.2.choiceId is not a choice of this question"],
  ],
  [
    "choices",
    question,
    bulk({ choiceId: a, title: "A" }),
    ["choices conflicts with minSelections, which must not be greater than the number of choices (2)"],
  ],
  [
    "choices",
    pictures,
    bulk({ choiceId: null, title: "A" }, { choiceId: null, title: "B", imageUrl: "no" }),
    ["choices.1.imageUrl must be a URL starting with https://"],
  ],
  [
    "choices",
    question,
    bulk(...Array.from({ length: 201 }, () => ({ choiceId: null, title: "x" }))),
    ["choices must have at most 200 items"],
  ],
  [
    "deleteChoice",
    picky,
    { choiceId: idsOf(picky.choices)[0] },
    ["choiceId conflicts with minSelections, which must not be greater than the number of choices (2)"],
  ],
  [
    "settings",
    question,
    { settings: { choices: [{ id: a, text: "A" }] } },
    ["settings.choices conflicts with minSelections, which must not be greater than the number of choices (2)"],
  ],
  [
    "choice",
    full,
    { choiceId: null, questionId: full.questionId, newTitle: "one more" },
    ["choiceId conflicts with choices, which must have at most 200 items"],
  ],
  [
    "choiceOrder",
    question,
    { choiceIds: [a, a, "gone"] },
    [
      "choiceIds.1 is named twice",
      "choiceIds.2 is not a choice of this question that can be chosen",
      `choiceIds must name every choice; missing are ${b}, ${c}`,
    ],
  ],
  [
    "choiceOrder",
    retired,
    { choiceIds: [a, b, c] },
    ["choiceIds.2 is not a choice of this question that can be chosen"],
  ],
  [
    "other",
    sampleQuestion("dropdown"),
    { enabled: true },
    ["elementId is not a question that can have the choice Other"],
  ],
  [
    "other",
    question,
    { enabled: 1, label: "", choiceId: "x" },
    [
      "enabled must be true or false",
      "label must be text of 1 to 200 characters",
      "choiceId is not a known field; known are enabled, label, code",
    ],
  ],
  ["deleteChoice", question, {}, ["choiceId is required"]],
  [
    "deleteChoice",
    sampleQuestion("dropdown", { choices: ["A"] }),
    { choiceId: "0000000000000001" },
    ["choiceId is the last choice that can be chosen"],
  ],
  ["deleteImageChoice", question, { choiceId: a }, ["elementId is not a question with choices of pictures"]],
  ["npsLabel", rating, { side: "left", text: "x" }, ["elementId is not a question of type nps"]],
  [
    "npsLabel",
    nps,
    { side: "top", text: "x".repeat(201) },
    ["side must be one of left, right", "text must be text of at most 200 characters"],
  ],
  [
    "npsSettings",
    nps,
    { subject: " ", required: 1, steps: 3 },
    [
      "subject must be text of 1 to 200 characters",
      "required must be true or false",
      "steps is not a known field; known are subject, required",
    ],
  ],
  ["ratingLabel", nps, { position: 1, text: "x" }, ["elementId is not a question of type rating"]],
  ["ratingLabel", rating, { position: 0 }, ["text is required", "position must be a whole number of 1 to 10"]],
  ["ratingLabel", rating, { position: 6, text: "x" }, ["position must be a position from 1 to 5"]],
  [
    "ratingSettings",
    rating,
    { steps: 11, style: "dot" },
    ["steps must be a whole number of 2 to 10", "style must be one of star, number, smiley, heart"],
  ],
  ["ratingSettings", rating, { steps: 3 }, ["steps conflicts with labels.5, which must be a position from 1 to 3"]],
] as [ElementEditName, Question, unknown, string[]][])(
  "%s is refused with every fault: %#",
  (name, question, input, violations) => {
    expect(refusals(name, question, input).toSorted()).toEqual(violations.toSorted());
  },
);

test("violations of an input are found without the element", () => {
  expect(linesOf(elementEditViolations("choice", { newTitle: "" }))).toContain(
    "newTitle must be text of 1 to 500 characters",
  );
  expect(elementEditViolations("other", { enabled: true })).toEqual([]);
});

test("retired choices stand in one order, whichever retired first", () => {
  const retire = (from: Question, id: string) => edit("deleteChoice", from, { choiceId: id }, [a, b, c, d]).question;
  const four = sampleQuestion("multiple_choice", { choices: ["A", "B", "C", "D"] });
  const [, , , d = ""] = idsOf(four.choices);
  expect(retire(retire(four, b), a).choices).toEqual(retire(retire(four, a), b).choices);
  const both = retire(retire(four, a), b);
  const named = [a, c, d].map((choiceId) => ({ choiceId, title: textsOf(four)[[a, b, c, d].indexOf(choiceId)] }));
  const back = edit("choices", both, { choices: named }, [a, b]).question;
  expect(textsOf(back)).toEqual(["A", "C", "D", "(B)"]);
  expect(retire(back, a)).toEqual(both);
});

test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
  "what objects inherit is no id and no field: %s",
  (name) => {
    const inherited = JSON.parse(`{"choiceId": "${a}", "questionId": "${questionId}", "newTitle": "x", "${name}": {}}`);
    expect(refusals("choice", question, inherited)).toEqual([expect.stringMatching(`^${name} is not a known field`)]);
    expect(refusals("choice", question, { choiceId: name, questionId, newTitle: "x" })).toEqual([
      "choiceId is not a choice of this question",
    ]);
    expect(refusals("choices", question, bulk({ choiceId: name, title: "x" }))).toEqual([
      "choices.0.choiceId is not a choice of this question",
    ]);
    expect(refusals("choiceOrder", question, { choiceIds: [name, a, b, c] })).toHaveLength(1);
    expect(editElement("deleteChoice", question, { choiceId: name }, { newId, isAnswered: () => true })).toEqual({
      missing: "choice",
    });
    const settings = JSON.parse(
      `{"settings": {"typeSettings": {"${name}": 1}, "responseValidation": {"${name}": true}}}`,
    );
    expect(refusals("settings", question, settings)).toEqual([
      expect.stringMatching(`^settings.typeSettings.${name} is not a known field`),
      expect.stringMatching(`^settings.responseValidation.${name} is not a known field`),
    ]);
  },
);

const samples = [...typeNames.map((name) => sampleQuestion(name)), question, retired, pictures];
const title = fc.constantFrom("x", "x", "", " ", "\0");

/** Values for the fields of all edits, by name; many are valid for the question. */
function fieldsFor({ questionId, choices = [] }: Question) {
  const id = fc.constantFrom(null, "gone", ...idsOf(choices), ...idsOf(choices));
  return {
    choiceId: id,
    questionId: fc.constantFrom(questionId, questionId, "gone"),
    newTitle: title,
    choices: fc.oneof(
      fc.array(fc.record({ choiceId: id, title })),
      fc.subarray(idsOf(choices)).map((some) => some.map((choiceId) => ({ choiceId, title: "x" }))),
    ),
    choiceIds: fc.oneof(fc.array(id), fc.shuffledSubarray(idsOf(choices), { minLength: choices.length })),
    enabled: fc.boolean(),
    label: title,
    side: fc.constantFrom("left", "right", "up"),
    text: title,
    position: fc.integer({ min: -1, max: 11 }),
    steps: fc.integer({ min: 1, max: 11 }),
    subject: title,
    required: fc.boolean(),
    settings: fc.record(
      { typeSettings: fc.oneof(fc.constant({}), fc.jsonValue()), choices: fc.array(title) },
      { requiredKeys: [] },
    ),
  };
}

/** An edit, mostly of a question that it fits, with any input. */
const anyEdit = fc.constantFrom(...names).chain((name) => {
  const fitting = samples.filter((each) => elementEdits[name].fits(questionTypeOf(each)));
  return fc.oneof(fc.constantFrom(...fitting), fc.constantFrom(...samples)).chain((each) => {
    const known = (elementEdits[name].input as unknown as { properties: object }).properties;
    const fields = Object.entries(fieldsFor(each)).filter(([key]) => key in known);
    const values = Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>;
    const input = fc.oneof(fc.record(values), fc.record(values, { requiredKeys: [] }), fc.jsonValue());
    return fc.tuple(fc.constant(name), fc.constant(each), input);
  });
});

test("no input makes an edit throw or mutate the question; kept entries keep their id, and answered ones are kept", () => {
  const edited = new Map<ElementEditName, number>();
  fc.assert(
    fc.property(anyEdit, fc.func(fc.boolean()), ([name, question, input], isAnswered) => {
      const before = structuredClone(question);
      const result = editElement(name, question, input, { newId, isAnswered });
      expect(question).toEqual(before);
      if (!("question" in result)) return;
      edited.set(name, (edited.get(name) ?? 0) + 1);
      const { question: after, addedIds, removedIds } = result;
      expect([after.elementId, after.questionId, after.type]).toEqual([
        before.elementId,
        before.questionId,
        before.type,
      ]);
      for (const list of ["choices", "rows", "columns"] as const) {
        const old = idsOf(before[list] ?? []);
        const now = idsOf(after[list] ?? []);
        expect(new Set(now).size).toBe(now.length);
        expect(now.filter((id) => !old.includes(id)).every((id) => addedIds.includes(id))).toBe(true);
        expect(old.filter((id) => !now.includes(id)).every((id) => removedIds.includes(id) && !isAnswered(id))).toBe(
          true,
        );
      }
    }),
    { numRuns: 2_000 },
  );
  expect([...edited.keys()].toSorted()).toEqual(names.toSorted());
  expect([...edited.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(150);
});
