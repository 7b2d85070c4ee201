import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countingIds, sampleQuestion } from "../test/sample-question.ts";
import { linesOf } from "../test/sample-survey.ts";
import { editElement, type EditOutcome } from "./edits/edit-element.ts";
import type { ElementEditName } from "./edits/element-edits.ts";
import type { Question } from "./definition.ts";
import { buildQuestions } from "./new-questions.ts";

const codesOf = (list: readonly { code?: string }[] | undefined) => list?.map(({ code }) => code);
const ids = () => {
  const next = countingIds();
  return () => `n${next().slice(1)}`;
};

function edit(
  question: Question,
  name: ElementEditName,
  body: object,
  isAnswered = (_id: string) => false,
): EditOutcome {
  return editElement(name, question, body, { newId: ids(), isAnswered });
}

function edited(...given: Parameters<typeof edit>): Question {
  const outcome = edit(...given);
  if (!("question" in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.question;
}

const refused = (...given: Parameters<typeof edit>) =>
  linesOf((edit(...given) as { violations: { path: string; message: string }[] }).violations);

test("every list takes codes at creation, and an entry may call its text label", () => {
  const matrix = sampleQuestion("dropdown_matrix", {
    rows: [{ text: "Row", code: "r1" }, "Plain"],
    columns: [
      {
        label: "Column",
        code: "c",
        options: [
          { label: "Yes", code: "1" },
          { text: "No", code: "0" },
        ],
      },
    ],
  });
  expect(codesOf(matrix.rows)).toEqual(["r1", undefined]);
  expect(matrix.columns).toMatchObject([
    { text: "Column", code: "c", options: [{ text: "Yes", code: "1" }, { code: "0" }] },
  ]);
  expect(matrix.rows![1]).not.toHaveProperty("code");
});

test.each([
  [[{ label: "A", code: "" }], ["questions.0.choices.0.code must be 1 to 32 characters without blanks"]],
  [[{ text: "A", code: "a b" }], ["questions.0.choices.0.code must be 1 to 32 characters without blanks"]],
  [[{ text: "A", code: "x".repeat(33) }], ["questions.0.choices.0.code must be 1 to 32 characters without blanks"]],
  [[{ text: "A", code: 1 }], ["questions.0.choices.0.code must be 1 to 32 characters without blanks or null"]],
  [[{ code: "1" }], ["questions.0.choices.0.text is required"]],
  [
    [{ text: "A", label: "A" }],
    ["questions.0.choices.0.label is not a known field; known are text, code, pinned, showIf"],
  ],
  [
    [{ label: "A", code: "1" }, { text: "B", code: "1" }, "C", { text: "D", code: "1" }],
    [
      "questions.0.choices.1.code is the code of another entry",
      "questions.0.choices.3.code is the code of another entry",
    ],
  ],
])("%j is refused at its place", (choices, lines) => {
  const built = buildQuestions([{ type: "dropdown", text: "?", choices }], countingIds());
  expect(linesOf((built as { violations: [] }).violations)).toEqual(lines);
});

test("codes differ in case, and lists do not share them", () => {
  const matrix = sampleQuestion("matrix", {
    rows: [
      { text: "A", code: "a" },
      { text: "B", code: "A" },
    ],
    columns: [{ text: "C", code: "a" }],
  });
  expect(codesOf(matrix.rows)).toEqual(["a", "A"]);
});

const coded = sampleQuestion("multiple_choice", {
  choices: [{ text: "A", code: "1" }, { text: "B", code: "2" }, "C"],
});
const [a, b, c] = coded.choices!.map(({ id }) => id) as [string, string, string];

test("each edit of choices gives, keeps, changes and removes codes", () => {
  const { questionId } = coded;
  const one = (choiceId: string | null, code?: string | null) => ({
    choiceId,
    questionId,
    newTitle: "T",
    ...(code !== undefined && { code }),
  });
  expect(codesOf(edited(coded, "choice", one(a)).choices)).toEqual(["1", "2", undefined]);
  expect(codesOf(edited(coded, "choice", one(c, "3")).choices)).toEqual(["1", "2", "3"]);
  expect(edited(coded, "choice", one(a, null)).choices![0]).not.toHaveProperty("code");
  expect(codesOf(edited(coded, "choice", one(null, "9")).choices)).toEqual(["1", "2", undefined, "9"]);
  const list = [
    { choiceId: b, title: "B" },
    { choiceId: a, title: "A", code: "7" },
    { choiceId: null, title: "N", code: "1" },
  ];
  expect(codesOf(edited(coded, "choices", { choices: list }).choices)).toEqual(["2", "7", "1"]);
  expect(codesOf(edited(coded, "choiceOrder", { choiceIds: [c, b, a] }).choices)).toEqual([undefined, "2", "1"]);
  const choices = [
    { id: a, text: "A" },
    { id: b, text: "B", code: null },
  ];
  expect(codesOf(edited(coded, "settings", { settings: { choices } }).choices)).toEqual(["1", undefined]);
});

test("a repeated code is a violation at its path, also one of a retired entry", () => {
  const { questionId } = coded;
  expect(refused(coded, "choice", { choiceId: a, questionId, newTitle: "A", code: "2" })).toEqual([
    "code is the code of another entry",
  ]);
  const list = [
    { choiceId: b, title: "B", code: "1" },
    { choiceId: a, title: "A" },
  ];
  expect(refused(coded, "choices", { choices: list })).toEqual(["choices.0.code is the code of another entry"]);
  const without = {
    settings: {
      choices: [
        { id: b, text: "B" },
        { text: "New", code: "1" },
      ],
    },
  };
  expect(refused(coded, "settings", without, (id) => id === a)).toEqual([
    "settings.choices.1.code is the code of another entry",
  ]);
  // Nobody chose it, so it goes, and its code is free.
  expect(codesOf(edited(coded, "settings", without).choices)).toEqual(["2", "1"]);
});

test("codes may change places at once", () => {
  const swapped = [
    { choiceId: a, title: "A", code: "2" },
    { choiceId: b, title: "B", code: "1" },
  ];
  expect(codesOf(edited(coded, "choices", { choices: swapped }).choices)).toEqual(["2", "1"]);
});

test("Other has a code, which no choice of its question may have", () => {
  const withOther = edited(coded, "other", { enabled: true, code: "96" });
  expect(withOther.typeSettings["other"]).toMatchObject({ enabled: true, code: "96" });
  expect(edited(withOther, "other", { enabled: true, code: null }).typeSettings["other"]).not.toHaveProperty("code");
  expect(edited(withOther, "other", { enabled: false }).typeSettings["other"]).toMatchObject({ code: "96" });
  expect(refused(coded, "other", { enabled: true, code: "1" })).toEqual(["code is the code of another entry"]);
  const taking = { choiceId: a, questionId: coded.questionId, newTitle: "A", code: "96" };
  expect(refused(withOther, "choice", taking)).toEqual([
    "choiceId conflicts with other.code, which is the code of another entry",
  ]);
});

test("after any edits the codes of a list are unique, including those of retired entries", () => {
  const code = fc.constantFrom(undefined, null, "1", "2", "3");
  const entry = fc.record({ at: fc.nat(6), code });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(entry, { minLength: 1, maxLength: 5 }), fc.boolean())), (edits) => {
      let question = sampleQuestion("dropdown");
      const newId = ids();
      for (const [entries, isAnswered] of edits) {
        const old = question.choices!;
        const choices = [...new Map(entries.map((each) => [each.at, each])).values()].map(({ at, code: own }) => ({
          ...(old[at] && { id: old[at].id }),
          text: `Entry ${at}`,
          ...(own !== undefined && { code: own }),
        }));
        const context = { newId, isAnswered: () => isAnswered };
        const outcome = editElement("settings", question, { settings: { choices } }, context);
        if (!("question" in outcome)) continue;
        question = outcome.question;
        const codes = question.choices!.flatMap(({ code: each }) => each ?? []);
        expect(new Set(codes).size).toBe(codes.length);
      }
    }),
  );
});
