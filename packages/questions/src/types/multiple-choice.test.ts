import { expect, test } from "vitest";
import type { Question } from "../definition.ts";
import { buildQuestions } from "../new-questions.ts";
import { countingIds, distributionOf, surprises, idsOf, retire, sampleQuestion } from "../../test/sample-question.ts";
import { imageChoice } from "./image-choice.ts";
import { multipleChoice } from "./multiple-choice.ts";

const choices = ["Red", "Green", "Blue"];

function withOther(fields: Record<string, unknown> = {}): { question: Question; other: string } {
  const question = sampleQuestion("multiple_choice", {
    choices,
    typeSettings: { other: { enabled: true } },
    ...fields,
  });
  return { question, other: (question.typeSettings["other"] as { choiceId: string }).choiceId };
}

test("takes one choice", () => {
  const question = sampleQuestion("multiple_choice", { choices });
  const [red] = idsOf(question.choices);
  expect(
    surprises(question, {
      good: [red],
      bad: [
        ["nothing", "", "not a choice"],
        ["", "", "not a choice"],
        ["__proto__", "", "not a choice"],
        [[red], "", "id of a choice"],
        [1, "", "id of a choice"],
        [{ choiceId: red, otherText: "x" }, "otherText", "Other"],
        [{}, "choiceId", "id of a choice"],
      ],
    }),
  ).toEqual([]);
});

test("takes several choices, none twice", () => {
  const question = sampleQuestion("multiple_choice", { choices, multipleAnswers: true });
  const [red, green, blue] = idsOf(question.choices);
  expect(
    surprises(question, {
      good: [[red], [blue, red, green]],
      bad: [
        [red, "", "list of choices"],
        [[], "", "at least one"],
        [[red, red], "1", "twice"],
        [[red, "x"], "1", "not a choice"],
        [[[red]], "0", "id of a choice"],
        [Array.from({ length: 100_000 }, () => red), "", "more choices"],
      ],
    }),
  ).toEqual([]);
});

test("keeps the number of selections", () => {
  const question = sampleQuestion("multiple_choice", {
    choices,
    multipleAnswers: true,
    typeSettings: { minSelections: 2, maxSelections: 2 },
  });
  const [red, green, blue] = idsOf(question.choices);
  expect(
    surprises(question, {
      good: [[red, green]],
      bad: [
        [[red], "", "at least 2"],
        [[red, green, blue], "", "at most 2"],
      ],
    }),
  ).toEqual([]);
});

test("Other takes a text, alone or among several", () => {
  const { question, other } = withOther();
  expect(
    surprises(question, {
      good: [other, { choiceId: other, otherText: "Mauve" }],
      bad: [
        [{ choiceId: other }, "otherText", "must be text"],
        [{ choiceId: other, otherText: "" }, "otherText", "at least 1"],
        [{ choiceId: other, otherText: " \u200b" }, "otherText", "blank"],
        [{ choiceId: other, otherText: "x".repeat(1_001) }, "otherText", "at most 1000"],
        [{ choiceId: other, otherText: "x", note: 1 }, "note", "not a known field"],
      ],
    }),
  ).toEqual([]);
  const several = withOther({ multipleAnswers: true });
  const [red] = idsOf(several.question.choices);
  expect(
    surprises(several.question, {
      good: [[red, { choiceId: several.other, otherText: "Mauve" }]],
      bad: [[[several.other, { choiceId: several.other, otherText: "x" }], "1", "twice"]],
    }),
  ).toEqual([]);
});

test("Other cannot be chosen while it is switched off", () => {
  const { question, other } = withOther();
  const off = {
    ...question,
    typeSettings: { ...question.typeSettings, other: { enabled: false, label: "Other", choiceId: other } },
  };
  expect(surprises(off, { good: [], bad: [[other, "", "retired"]] })).toEqual([]);
});

test("a retired choice is refused for new answers and passes for stored ones", () => {
  const sample = sampleQuestion("multiple_choice", { choices });
  const [red = ""] = idsOf(sample.choices);
  const question = retire(sample, "choices", red);
  expect(surprises(question, { good: [], bad: [[red, "", "retired"]] })).toEqual([]);
  expect(multipleChoice.checkValue(question, red, { allowRetired: true })).toEqual([]);
});

test("limits on selections must be reachable and need multipleAnswers", () => {
  const violationsOf = (fields: Record<string, unknown>) => {
    const result = buildQuestions([{ type: 4, text: "x", choices, ...fields }], countingIds());
    return "violations" in result ? result.violations.map(({ path, message }) => `${path}: ${message}`) : [];
  };
  const at = "questions.0.typeSettings";
  expect(violationsOf({ typeSettings: { minSelections: 1 } })).toEqual([`${at}.minSelections: needs multipleAnswers`]);
  expect(violationsOf({ multipleAnswers: true, typeSettings: { minSelections: 4 } })).toEqual([
    `${at}.minSelections: must not be greater than the number of choices (3)`,
  ]);
  expect(violationsOf({ multipleAnswers: true, typeSettings: { minSelections: 4, other: { enabled: true } } })).toEqual(
    [],
  );
  expect(violationsOf({ multipleAnswers: true, typeSettings: { minSelections: 3, maxSelections: 2 } })).toEqual([
    `${at}.minSelections: must not be greater than maxSelections`,
  ]);
  expect(violationsOf({ typeSettings: { other: { enabled: true, choiceId: "mine" } } })).toEqual([
    `${at}.other.choiceId: is assigned by the service and cannot be chosen`,
  ]);
});

test("distribution: every choice with its count, Other included", () => {
  const { question, other } = withOther({ multipleAnswers: true });
  const [red = "", green = "", blue = ""] = idsOf(question.choices);
  const answers = [
    [red, green],
    [red, { choiceId: other, otherText: "Mauve" }],
  ];
  expect(distributionOf(question, answers)).toEqual({ counts: { [red]: 2, [green]: 1, [blue]: 0, [other]: 1 } });
});

test("a retired choice stays in the distribution only when it was chosen", () => {
  const sample = sampleQuestion("multiple_choice", { choices });
  const [red = "", green = "", blue = ""] = idsOf(sample.choices);
  const question = retire(sample, "choices", red);
  expect(distributionOf(question, [red])).toEqual({ counts: { [red]: 1, [green]: 0, [blue]: 0 } });
  expect(distributionOf(question, [blue])).toEqual({ counts: { [green]: 0, [blue]: 1 } });
});

test("exports one column, or one per choice, and the text of Other apart", () => {
  const { question, other } = withOther();
  const [red = ""] = idsOf(question.choices);
  expect(multipleChoice.exportColumns(question).map(({ text }) => text)).toEqual(["What?", "What?: Other (text)"]);
  expect(multipleChoice.exportCells(question, red)).toEqual([red, null]);
  expect(multipleChoice.exportCells(question, { choiceId: other, otherText: "Mauve" })).toEqual([other, "Mauve"]);
  const several = withOther({ multipleAnswers: true });
  const [first, second] = idsOf(several.question.choices);
  expect(multipleChoice.exportColumns(several.question)).toHaveLength(5);
  expect(multipleChoice.exportColumns(several.question)[1]).toMatchObject({
    text: "What?: Green",
    part: { question: { id: several.question.questionId, text: "What?" }, path: [] },
    chosen: { id: second, label: "Green" },
    values: [
      { code: 0, label: "No" },
      { code: 1, label: "Yes" },
    ],
  });
  const cellsOf = (value: unknown) => multipleChoice.exportCells(several.question, value);
  // 0: not chosen; null: not answered.
  expect(cellsOf([second, first])).toEqual([1, 1, 0, 0, null]);
  expect(cellsOf([])).toEqual([0, 0, 0, 0, null]);
  for (const none of [null, undefined, {}]) expect(cellsOf(none)).toEqual([null, null, null, null, null]);
  // An answer from a time when only one choice was allowed.
  expect(cellsOf(first)).toEqual([1, 0, 0, 0, null]);
});

test("a loop runs through the chosen items in the question's order", () => {
  const { question, other } = withOther({ multipleAnswers: true });
  const [red, , blue] = idsOf(question.choices);
  const chosen = [{ choiceId: other, otherText: "Mauve" }, blue, red];
  expect(multipleChoice.loopItems?.(question, chosen)).toEqual([red, blue, other]);
  expect(multipleChoice.loopItems?.(question, null)).toEqual([]);
});

test("image choices take https pictures only", () => {
  const question = sampleQuestion("image_choice", {
    choices: ["A", { text: "B", imageUrl: "https://pictures.example/b.png" }],
  });
  expect(question.choices?.map(({ imageUrl }) => imageUrl)).toEqual([null, "https://pictures.example/b.png"]);
  expect(imageChoice.checkValue(question, question.choices?.[1]?.id)).toEqual([]);
  const images = ["http://a.b/c.png", "javascript:alert(1)", "https://", "data:image/png;base64,AA"];
  for (const imageUrl of images) {
    const result = buildQuestions([{ type: 6, text: "x", choices: [{ text: "A", imageUrl }] }], countingIds());
    expect(result).toMatchObject({ violations: [{ path: "questions.0.choices.0.imageUrl" }] });
  }
  const plain = buildQuestions(
    [{ type: 4, text: "x", choices: [{ text: "A", imageUrl: "https://a.b/c" }] }],
    countingIds(),
  );
  expect(plain).toMatchObject({ violations: [{ path: "questions.0.choices.0.imageUrl" }] });
});
