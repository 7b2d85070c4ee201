import { AppError } from "@canvass/errors";
import { buildQuestions, settingsWithDefaults, type Question, type SurveyDefinition } from "@canvass/questions";
import { beforeEach, describe, expect, test } from "vitest";
import { applyAtOnce } from "../../../test/apply-at-once.ts";
import type { RespondentState } from "../respondents/respondent-state.ts";
import { BatchChanges } from "./batch-changes.ts";
import { noFiles } from "./named-files.ts";

const now = new Date("2026-03-01T12:00:00Z");
let next = 0;
const newId = () => `id${String(++next).padStart(14, "0")}`;
const built = buildQuestions(
  ["from", "show", "to", "plain"].map((text) => ({ type: text === "show" ? "yes_no" : "number", text })),
  newId,
);
if ("violations" in built) throw new Error(JSON.stringify(built.violations));
const [from, show, plainTo, plain] = built.questions.map(({ question }) => question) as [
  Question,
  Question,
  Question,
  Question,
];
const message = "The end must be after the beginning.";
const to: Question = {
  ...plainTo,
  logic: {
    showIf: { elementId: show.elementId, operator: "not_equals", value: false },
    constraints: [
      { must: { elementId: plainTo.elementId, operator: "greater_than", answerOf: from.elementId }, message },
    ],
  },
};
const pageId = (at: number) => `page${at}`.padEnd(16, "0");
const definition: SurveyDefinition = {
  pages: [
    [from, show],
    [to, plain],
  ].map((elements, at) => ({
    pageId: pageId(at),
    title: null,
    loop: null,
    skipLogic: [],
    elements,
  })),
};
const version = { versionId: newId(), versionNumber: 1, definition };
const settings = settingsWithDefaults({ collection: { editAfterSubmit: "always" } });

let state: RespondentState;
beforeEach(() => {
  const ids = { workspaceId: "w", surveyId: "s", respondentId: newId(), versionId: version.versionId };
  const about = { versionNumber: 1, isTest: false, isAnonymous: false, hasContact: false, distributorId: "" };
  const times = { startedAt: now, lastSeenAt: now, completedAt: null, exactStartedAt: null, exactSeenAt: null };
  state = { ...ids, ...about, ...times, pageId: "", language: "", fields: {}, answerWeight: 0, answers: new Map() };
});

type Given = [Question, unknown][];

/** Returns the refusal's details, or whether the respondent has completed. */
function submit(answers: Given, rest: object = { metadata: { complete: false } }, by = definition) {
  const responses = answers.map(([{ elementId }, value]) => ({ elementId, value }));
  const context = { version: { ...version, definition: by }, settings, timeZone: "UTC", now, files: noFiles };
  try {
    applyAtOnce(state, { respondentId: state.respondentId, responses, ...rest }, context, new BatchChanges());
    return state.completedAt !== null;
  } catch (error) {
    if (error instanceof AppError) return error.details;
    throw error;
  }
}

describe("a constraint refuses", () => {
  test("the answer that breaks it, alone or with the one that it is compared with, and nothing is stored", () => {
    expect(
      submit([
        [from, 5],
        [to, 5],
      ]),
    ).toEqual({ "responses.1.value": [message] });
    expect(state.answers.size).toBe(0);
    expect(submit([[from, 5]])).toBe(false);
    expect(submit([[to, 4]])).toEqual({ "responses.0.value": [message] });
    expect(submit([[to, 6]])).toBe(false);
  });

  test("with every other violation, and not because of an answer that is refused itself", () => {
    submit([[from, 5]]);
    expect(
      submit([
        [to, 4],
        [show, 7],
      ]),
    ).toEqual({
      "responses.0.value": [message],
      "responses.1.value": [expect.any(String)],
    });
    expect(
      submit([
        [to, 4],
        [from, "x"],
      ]),
    ).toEqual({ "responses.1.value": [expect.any(String)] });
  });

  test("an answer to another question of its page, while its own is broken by an earlier page", () => {
    submit([[from, 5]]);
    submit([[to, 6]]);
    // Going back is not held up.
    expect(submit([[from, 7]])).toBe(false);
    expect(submit([[plain, 1]])).toEqual({
      responses: [`the answer to ${to.elementId} is no longer valid: ${message}`],
    });
    expect(
      submit([
        [plain, 1],
        [to, 8],
      ]),
    ).toBe(false);
  });

  test("to complete with a broken constraint anywhere, unless it is hidden", () => {
    submit([[from, 5]]);
    submit([[to, 6]]);
    submit([[from, 7]]);
    const broken = { responses: [`the answer to ${to.elementId} is no longer valid: ${message}`] };
    expect(submit([], { metadata: { complete: true } })).toEqual(broken);
    expect(submit([[from, 8]], {})).toEqual(broken);
    expect(submit([[show, false]], {})).toBe(true);
    expect(state.answers.get(to.elementId)).toMatchObject({ value: 6, offPath: true });
    // Shown again, it counts again.
    expect(submit([[show, true]])).toEqual(broken);
    expect(
      submit([
        [show, true],
        [from, 1],
      ]),
    ).toBe(true);
    expect(state.answers.get(to.elementId)!.offPath ?? false).toBe(false);
  });

  test("a change after completion, though another constraint of the question with its message was broken before", () => {
    const most = { must: { elementId: to.elementId, operator: "less_than" as const, value: 100 }, message };
    const both = { ...to, logic: { ...to.logic, constraints: [...to.logic!.constraints!, most] } };
    const pages = definition.pages.map((page) => ({
      ...page,
      elements: page.elements.map((each) => (each === to ? both : each)),
    }));
    expect(
      submit(
        [
          [from, 5],
          [to, 6],
        ],
        {},
      ),
    ).toBe(true);
    // What is stored may break a constraint, such as after an erasure.
    state.answers.set(from.elementId, { value: 9, meta: null, submittedAt: now });
    expect(submit([[to, 7]], {}, { pages })).toBe(true);
    expect(submit([[to, 200]], {}, { pages })).toEqual({ "responses.0.value": [message] });
  });

  test("a change after completion that breaks it, but not the same content again", () => {
    expect(
      submit(
        [
          [from, 5],
          [to, 6],
        ],
        {},
      ),
    ).toBe(true);
    expect(submit([[from, 6]])).toEqual({
      responses: [`the answer to ${to.elementId} is no longer valid: ${message}`],
    });
    expect(
      submit([
        [from, 5],
        [to, 6],
      ]),
    ).toBe(true);
    expect(submit([[to, null]])).toBe(true);
    expect(submit([[from, 9]])).toBe(true);
  });
});
