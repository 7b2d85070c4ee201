import { expect, test } from "vitest";
import { distributionOf, surprises, idsOf, retire, sampleQuestion } from "../../test/sample-question.ts";
import { matrix } from "./matrix.ts";

const lists = { rows: ["Taste", "Smell"], columns: ["Bad", "Good"] };
const question = sampleQuestion("matrix", lists);
const [taste = "", smell = ""] = idsOf(question.rows);
const [bad = "", good = ""] = idsOf(question.columns);

test("takes a column per statement; statements may be left out", () => {
  expect(
    surprises(question, {
      good: [{ [taste]: good }, { [taste]: good, [smell]: bad }],
      bad: [
        [{}, "", "at least one"],
        [[], "", "object"],
        ["x", "", "object"],
        [{ [taste]: "x" }, taste, "not a column"],
        [{ [taste]: [good] }, taste, "id of a column"],
        [{ [taste]: null }, taste, "id of a column"],
        [{ x: good }, "x", "not a statement"],
        [JSON.parse(`{"__proto__": "${good}"}`), "__proto__", "not a statement"],
        [{ constructor: good }, "constructor", "not a statement"],
      ],
    }),
  ).toEqual([]);
  expect(
    surprises(retire(question, "rows", taste), {
      good: [{ [smell]: bad }],
      bad: [[{ [taste]: bad }, taste, "retired"]],
    }),
  ).toEqual([]);
  expect(
    surprises(retire(question, "columns", good), { good: [], bad: [[{ [taste]: good }, taste, "retired"]] }),
  ).toEqual([]);
});

test("with eachRowRequired every statement that is not retired must be answered", () => {
  const strict = sampleQuestion("matrix", { ...lists, typeSettings: { eachRowRequired: true } });
  expect(
    surprises(strict, { good: [{ [taste]: good, [smell]: good }], bad: [[{ [taste]: good }, smell, "required"]] }),
  ).toEqual([]);
  expect(surprises(retire(strict, "rows", smell), { good: [{ [taste]: good }], bad: [] })).toEqual([]);
});

test("with multiple a statement takes several columns", () => {
  const several = sampleQuestion("matrix", { ...lists, multipleAnswers: true });
  expect(
    surprises(several, {
      good: [{ [taste]: [good, bad], [smell]: [good] }],
      bad: [
        [{ [taste]: good }, taste, "list of at least one"],
        [{ [taste]: [] }, taste, "list of at least one"],
        [{ [taste]: [good, good] }, `${taste}.1`, "twice"],
        [{ [taste]: ["x"] }, `${taste}.0`, "not a column"],
      ],
    }),
  ).toEqual([]);
  expect(distributionOf(several, [{ [taste]: [good, bad] }, { [taste]: [good] }])).toEqual({
    rows: { [taste]: { [bad]: 1, [good]: 2 } },
  });
  expect(distributionOf(several, [])).toEqual({ rows: {} });
  expect(matrix.exportColumns(several).map(({ text }) => text)).toEqual([
    "What?: Taste: Bad",
    "What?: Taste: Good",
    "What?: Smell: Bad",
    "What?: Smell: Good",
  ]);
  expect(matrix.exportColumns(several)[3]).toMatchObject({
    id: `${several.questionId}.${smell}.${good}`,
    part: { path: [{ id: smell, label: "Smell" }] },
    chosen: { id: good, label: "Good" },
  });
  expect(matrix.exportCells(several, { [taste]: [good] })).toEqual([0, 1, null, null]);
  expect(matrix.exportCells(several, { [smell]: bad })).toEqual([null, null, 1, 0]);
});

test("one export column per statement", () => {
  const values = [
    { code: 1, id: bad, label: "Bad" },
    { code: 2, id: good, label: "Good" },
  ];
  const column = { kind: "value", measure: "nominal", values };
  const partOf = (id: string, label: string) => ({
    question: { id: question.questionId, text: "What?" },
    path: [{ id, label }],
  });
  expect(matrix.exportColumns(question)).toEqual([
    { id: `${question.questionId}.${taste}`, text: "What?: Taste", ...column, part: partOf(taste, "Taste") },
    { id: `${question.questionId}.${smell}`, text: "What?: Smell", ...column, part: partOf(smell, "Smell") },
  ]);
});
