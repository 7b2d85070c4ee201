import { AppError } from "@canvass/errors";
import { buildQuestions, settingsWithDefaults, type Condition, type Question } from "@canvass/questions";
import { beforeEach, describe, expect, test } from "vitest";
import { applyAtOnce } from "../../../test/apply-at-once.ts";
import { type RespondentState, answerWeight } from "../respondents/respondent-state.ts";
import { BatchChanges } from "./batch-changes.ts";
import { noFiles } from "./named-files.ts";

const now = new Date("2026-03-01T12:00:00Z");
let next = 0;
const newId = () => `id${String(++next).padStart(14, "0")}`;
const built = buildQuestions(
  [
    { type: "yes_no", text: "pet" },
    {
      type: "multiple_choice",
      text: "food",
      multipleAnswers: true,
      choices: ["A", "B", "C"],
      typeSettings: { minSelections: 2 },
    },
    { type: "ranking", text: "order", choices: ["A", "B", "C"] },
    { type: "matrix", text: "table", rows: ["1", "2"], columns: ["x", "y"], typeSettings: { eachRowRequired: true } },
    { type: "constant_sum", text: "sum", choices: ["A", "B"] },
    { type: "dropdown", text: "one", choices: ["A", "B"], required: true },
  ],
  newId,
);
if ("violations" in built) throw new Error(JSON.stringify(built.violations));
type Six = [Question, Question, Question, Question, Question, Question];
const [pet, ...others] = built.questions.map(({ question }) => question) as Six;
const hasPet: Condition = { elementId: pet.elementId, operator: "equals", value: true };
const idsOf = (list: Question["choices"]) => list!.map(({ id }) => id);
const shownIf = (question: Question, ids: string[]): Question => ({
  ...question,
  logic: { entries: Object.fromEntries(ids.map((id) => [id, hasPet])) },
});
const last = ({ choices, rows }: Question) => idsOf(choices ?? rows).slice(-1);
const [food, order, table, sum] = others.slice(0, 4).map((each) => shownIf(each, last(each))) as Six;
const one = shownIf(others[4], idsOf(others[4].choices));
const page = { pageId: "page".padEnd(16, "0"), title: null, loop: null, skipLogic: [] };
const definition = { pages: [{ ...page, elements: [pet, food, order, table, sum, one] }] };
const version = { versionId: newId(), versionNumber: 1, definition };
const settings = settingsWithDefaults({ collection: { editAfterSubmit: "always" } });

let state: RespondentState;
let changes: BatchChanges;
beforeEach(() => {
  const ids = { workspaceId: "w", surveyId: "s", respondentId: newId(), versionId: version.versionId };
  const about = { versionNumber: 1, isTest: false, isAnonymous: false, hasContact: false, distributorId: "" };
  const times = { startedAt: now, lastSeenAt: now, completedAt: null, exactStartedAt: null, exactSeenAt: null };
  const known = { language: "", fields: {}, answers: new Map() };
  state = { ...ids, ...about, ...times, ...known, pageId: "", answerWeight: 0 };
  changes = new BatchChanges();
});

/** Returns the refusal's details, or whether the respondent has completed. */
function submit(answers: [Question, unknown][], complete = false) {
  const responses = answers.map(([{ elementId }, value]) => ({ elementId, value }));
  const body = { respondentId: state.respondentId, responses, metadata: { complete } };
  try {
    applyAtOnce(state, body, { version, settings, timeZone: "UTC", now, files: noFiles }, changes);
    return state.completedAt !== null;
  } catch (error) {
    if (error instanceof AppError) return error.details;
    throw error;
  }
}

const [a, b, c] = idsOf(food.choices) as [string, string, string];
const [r1, r2, r3] = idsOf(order.choices) as [string, string, string];
const [row1, row2] = idsOf(table.rows) as [string, string];
const [x] = idsOf(table.columns) as [string];
const [s1, s2] = idsOf(sum.choices) as [string, string];

describe("answers are validated by the shown entries", () => {
  test("with the answers that come along", () => {
    expect(
      submit([
        [food, [a, c]],
        [order, [r2, r1]],
        [table, { [row1]: x }],
        [sum, { [s1]: 100 }],
      ]),
    ).toEqual({ "responses.0.value": ["must name at least 2 choices"] });
    expect(
      submit([
        [order, [r2, r1]],
        [table, { [row1]: x }],
        [pet, true],
      ]),
    ).toEqual({ "responses.0.value": ["must rank every choice"], [`responses.1.value.${row2}`]: ["is required"] });
  });

  test("however wrong another answer is", () => {
    const wrong = [{ a: { b: [[null]] } }, "true", [true], 5];
    for (const value of wrong) {
      const refused = submit([
        [pet, value],
        [food, [a, c]],
      ]);
      expect(Object.keys(refused as object)).toContain("responses.0.value");
    }
    expect(submit([[food, [a, "gone"]]])).toMatchObject({
      "responses.0.value.1": ["is not a choice of this question"],
    });
  });

  test("a hidden part is validated, too, because it is stored", () => {
    expect(submit([[table, { [row1]: x, [row2]: { deep: [] } }]])).toEqual({
      [`responses.0.value.${row2}`]: ["must be the id of a column"],
    });
    expect(submit([[sum, { [s1]: 100, [s2]: -1 }]])).toMatchObject({
      [`responses.0.value.${s2}`]: [expect.any(String)],
    });
  });
});

test("choices and rows that are not shown stay until the respondent completes, and then leave its answers and counts", () => {
  submit([[pet, true]]);
  submit([
    [food, [a, b, c]],
    [order, [r3, r2, r1]],
    [table, { [row1]: x, [row2]: x }],
    [sum, { [s1]: 50, [s2]: 50 }],
    [one, idsOf(one.choices)[0]],
  ]);
  submit([[pet, false]]);
  expect(state.answers.get(food.elementId)!.value).toEqual([a, b, c]);
  expect(submit([], true)).toBe(true);
  const values = [food, order, table, sum].map(({ elementId }) => state.answers.get(elementId)!.value);
  expect(values).toEqual([[a, b], [r2, r1], { [row1]: x }, { [s1]: 50 }]);
  // A question without any choice is not asked, though it is required.
  expect(state.answers.get(one.elementId)).toMatchObject({ value: idsOf(one.choices)[0], offPath: true });
  const weights = [...state.answers.values()].map((answer) => answerWeight(answer));
  expect(state.answerWeight).toBe(weights.reduce((total, weight) => total + weight, 0));
  const counted = [...changes.buckets.values()].filter(({ bucket, count }) => count !== 0 && bucket.includes(c));
  expect(counted).toEqual([]);
});

test("a change after completion removes answers that are no longer shown, and must answer newly required questions", () => {
  expect(submit([[pet, false]], true)).toBe(true);
  expect(submit([[pet, true]])).toEqual({ responses: [expect.stringContaining(one.elementId)] });
  const [chosen] = idsOf(one.choices);
  expect(
    submit([
      [pet, true],
      [one, chosen],
      [food, [a, c]],
    ]),
  ).toBe(true);
  submit([[pet, false]]);
  expect(state.answers.get(food.elementId)!.value).toEqual([a]);
  expect(state.answers.get(one.elementId)).toMatchObject({ offPath: true });
});
