import { describe, expect, test } from "vitest";
import { countingIds, sampleQuestion } from "../test/sample-question.ts";
import type { Page, Question, SurveyDefinition } from "./definition.ts";
import { buildQuestions } from "./new-questions.ts";
import { addWeights, emptyWeight, pageWeight, questionWeight, weightViolations, weightLimits } from "./weight.ts";

const texts = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
const columns = (...options: number[]) => options.map((count, index) => ({ text: `${index}`, options: texts(count) }));
const dropdowns = (rows: number, ...options: number[]) => ({
  type: "dropdown_matrix",
  text: "What?",
  rows: texts(rows),
  columns: columns(...options),
});

function violationsOf(question: object) {
  const result = buildQuestions([{ type: "rating", text: "How?" }, question], countingIds());
  return "violations" in result ? result.violations : [];
}

describe("cells of one matrix", () => {
  test.each([
    ["matrix", { type: "matrix", rows: texts(100), columns: texts(50) }, 5_000],
    ["dropdown_matrix", dropdowns(50, 50, 50, 50, 50), 10_000],
    ["dropdown_matrix", dropdowns(41, 50, 44, 50, 50, 50), 41 * 244],
    ["dropdown_matrix", dropdowns(50, ...Array.from({ length: 10 }, () => 50)), 25_000],
    ["rating", {}, 0],
  ])("%s %#: %i", (type, fields, cells) => {
    if (cells <= weightLimits.matrixCells) expect(questionWeight(sampleQuestion(type, fields)).cells).toBe(cells);
    const message = `must have at most 10000 cells (rows x columns x options), not ${cells}`;
    const violations = cells <= weightLimits.matrixCells ? [] : [{ path: "questions.1.rows", message }];
    expect(violationsOf({ type, text: "What?", ...fields })).toEqual(violations);
  });

  test("a list inside typeSettings is named there", () => {
    const { rows, columns: tooMany } = dropdowns(50, 50, 50, 50, 50, 1);
    const message = expect.stringContaining("not 10050");
    const inside = { type: "dropdown_matrix", text: "?", typeSettings: { rows, columns: tooMany } };
    expect(violationsOf(inside)).toEqual([{ path: "questions.1.typeSettings.rows", message }]);
    const beside = { type: "dropdown_matrix", text: "?", rows, typeSettings: { columns: tooMany } };
    expect(violationsOf(beside)).toEqual([{ path: "questions.1.rows", message }]);
  });

  test("retired entries count, since their answers are counted still", () => {
    const question = sampleQuestion("matrix", { rows: texts(3), columns: texts(3) });
    question.rows![0]!.retired = true;
    expect(questionWeight(question).cells).toBe(9);
  });
});

describe("the whole survey", () => {
  const { surveyCells, definitionBytes } = weightLimits;
  const weighed = (...cells: number[]) => cells.map((count, index) => ({ path: `q${index}`, cells: count, bytes: 10 }));
  const held = { cells: 10, bytes: 50 };

  test.each([
    ["at the limit", held, weighed(surveyCells - 10), []],
    ["one more", held, weighed(surveyCells - 9), ["q0"]],
    ["one more with the last", held, weighed(surveyCells - 10, 1), ["q1"]],
    ["named once", held, weighed(surveyCells, 1, 1), ["q0"]],
    ["at what has cells", { ...held, cells: surveyCells + 1 }, weighed(0, 0, 1), ["q2"]],
  ])("cells: %s", (_case, held, questions, paths) => {
    expect(weightViolations(held, questions).map(({ path }) => path)).toEqual(paths);
  });

  test.each([
    ["at the limit", definitionBytes - 50, 0, []],
    ["one more", definitionBytes - 49, 0, ["q0"]],
    ["one more with the second", definitionBytes - 50, 1, ["q1"]],
  ])("bytes: %s", (_case, first, second, paths) => {
    const questions = [first, second].map((bytes, index) => ({ path: `q${index}`, cells: 0, bytes }));
    expect(weightViolations(held, questions).map(({ path }) => path)).toEqual(paths);
  });

  test("both bounds are named", () => {
    const violations = weightViolations(held, [{ path: "q", cells: surveyCells, bytes: definitionBytes }]);
    expect(violations.map(({ path, message }) => [path, message])).toEqual([
      ["q", expect.stringContaining("100000")],
      ["q", expect.stringContaining("4194304 bytes")],
    ]);
  });
});

test("the parts weigh as much as the whole definition's JSON, but for a comma after the last of each list", () => {
  const questions = ["matrix", "dropdown_matrix", "nps", "statement"].map((type) =>
    sampleQuestion(type, { text: 'Grüße 👋 "quoted" \u0001', helpText: "ß".repeat(9) }),
  );
  const page = (elements: Question[]): Page => ({
    pageId: "page000000000001",
    title: "Überschrift",
    loop: { elementId: questions[0]!.elementId },
    skipLogic: [{ when: { elementId: questions[0]!.elementId, operator: "equals", value: "x" }, goTo: "end" }],
    elements,
  });
  const definition: SurveyDefinition = { pages: [page(questions), page([]), page(questions.slice(1))] };
  const parts = definition.pages.flatMap((each) => [pageWeight(each), ...each.elements.map(questionWeight)]);
  const { bytes } = addWeights([emptyWeight, ...parts]);
  expect(bytes - 3).toBe(Buffer.byteLength(JSON.stringify(definition)));
});
