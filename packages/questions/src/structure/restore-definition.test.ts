import { expect, test } from "vitest";
import { page } from "../../test/sample-survey.ts";
import { sampleQuestion } from "../../test/sample-question.ts";
import { otherOf } from "../chosen-choices.ts";
import type { Choice, Column, Question } from "../definition.ts";
import { finish } from "../finish.ts";
import { restoringDefinition } from "./restore-definition.ts";

type Entry = Choice & Partial<Column>;

function restored(stored: Question, former: readonly Question[], isAnswered = (_id: string) => true): Question {
  const definition = { pages: [page("p", [stored])] };
  return finish(restoringDefinition(definition, former, isAnswered)).pages[0]!.elements[0]!;
}

/** The question without the last entry of a list. */
const withoutLast = (question: Question, list: "choices" | "rows" | "columns"): Question => ({
  ...question,
  [list]: question[list]!.slice(0, -1),
});

const options = ["x", "y"];
const tables = [
  ["choices", sampleQuestion("multiple_choice", { choices: ["a", "b"] })],
  ["choices", sampleQuestion("image_choice", { choices: [{ text: "a" }, { text: "b", imageUrl: "https://b.test/" }] })],
  ["choices", sampleQuestion("dropdown", { choices: ["a", { text: "b", code: "2", pinned: true }] })],
  ["choices", sampleQuestion("ranking", { choices: ["a", "b"] })],
  ["rows", sampleQuestion("matrix", { rows: ["a", "b"], columns: ["c", "d"] })],
  ["columns", sampleQuestion("matrix", { rows: ["a", "b"], columns: ["c", "d"] })],
  ["rows", sampleQuestion("form", { rows: ["a", { text: "b", format: "number", required: true }] })],
  ["choices", sampleQuestion("constant_sum", { choices: ["a", "b"] })],
  [
    "columns",
    sampleQuestion("dropdown_matrix", { rows: ["a"], columns: ["c", "d"].map((text) => ({ text, options })) }),
  ],
] as const;

test.for(tables)(
  "an answered entry of %s that a restored question lacks is retired, an unanswered one is gone",
  ([list, former]) => {
    const stored = withoutLast(former, list);
    const last = former[list]!.at(-1)!;
    const expected = { ...stored, [list]: [...stored[list]!, { ...last, retired: true }] };
    expect(restored(stored, [former], (id) => id === last.id)).toEqual(expected);
    // Also in a draft that had retired it, and in an element that was retired as a whole.
    expect(restored(stored, [stored, expected])).toEqual(expected);
    expect(restored(stored, [former], (id) => id !== last.id)).toBe(stored);
    expect(restored(stored, [stored])).toBe(stored);
    expect(restored(stored, [])).toBe(stored);
  },
);

test("an answered option of a column is retired there", () => {
  const former = sampleQuestion("dropdown_matrix", { rows: ["a"], columns: [{ text: "c", options }] });
  const [column] = former.columns!;
  const stored = { ...former, columns: [{ ...column!, options: column!.options!.slice(0, 1) }] };
  const [first, second] = column!.options!;
  expect(restored(stored, [former]).columns![0]!.options).toEqual([first, { ...second, retired: true }]);
});

test("retired entries stand at the end by id, as edits leave them", () => {
  const former = sampleQuestion("dropdown", { choices: ["a", "b", "c"] });
  const [a, b, c] = former.choices as [Entry, Entry, Entry];
  const stored = { ...former, choices: [{ ...c, retired: true }, a] };
  expect(restored(stored, [former]).choices).toEqual([a, { ...b, retired: true }, { ...c, retired: true }]);
});

test("a retired entry keeps its code unless a restored one has got it back", () => {
  const former = sampleQuestion("multiple_choice", {
    choices: ["a", "b", "c"].map((text, at) => ({ text, code: `${at}` })),
  });
  const [a, b, c] = former.choices as [Entry, Entry, Entry];
  const stored = { ...former, choices: [{ ...a, code: "1" }] };
  const codes = restored(stored, [former]).choices!.map(({ id, code }) => [id, code]);
  expect(codes).toEqual([
    [a.id, "1"],
    [b.id, undefined],
    [c.id, "2"],
  ]);
});

test("an answered Other keeps its id and code, switched off, where the restored question had none yet", () => {
  const typeSettings = { other: { enabled: true, label: "Else", code: "9" } };
  const former = sampleQuestion("multiple_choice", { choices: ["a", "b"], typeSettings });
  const none = { enabled: false, label: "Other", choiceId: null };
  const stored = { ...former, typeSettings: { ...former.typeSettings, other: none } };
  const { choiceId } = otherOf(former)!;
  const kept = { enabled: false, label: "Else", choiceId, code: "9" };
  expect(restored(stored, [former])).toEqual({ ...stored, typeSettings: { ...stored.typeSettings, other: kept } });
  expect(restored(stored, [former], () => false)).toBe(stored);
  expect(restored(former, [former])).toBe(former);
});

test("a retired entry keeps its translations, and restored texts have those that they had", () => {
  const former = sampleQuestion("dropdown", { choices: ["a", "b"] });
  const [a, b] = former.choices as [Entry, Entry];
  const text = (word: string) => ({ text: word, source: word });
  const stored = { ...withoutLast(former, "choices"), translations: { de: { text: text("Was?") } } };
  const texts = { text: text("Quoi ?"), [`choices.${a.id}`]: text("un"), [`choices.${b.id}`]: text("deux") };
  const translations = { de: texts, fr: texts };
  expect(restored(stored, [{ ...former, translations }]).translations).toEqual({
    de: { text: text("Was?"), [`choices.${b.id}`]: text("deux") },
    fr: { [`choices.${b.id}`]: text("deux") },
  });
});

test("a question that carries choices gets none of its own", () => {
  const former = sampleQuestion("dropdown", { choices: ["a", "b"] });
  const { choices: _, ...carrying } = former;
  expect(restored(carrying, [former])).toBe(carrying);
});
