import { noFiles } from "./named-files.ts";
import type { AppError } from "@canvass/errors";
import {
  buildQuestions,
  missingRequired,
  settingsWithDefaults,
  type Page,
  type Question,
  type SurveyDefinition,
} from "@canvass/questions";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerId } from "./answer-id.ts";
import { applyAtOnce } from "../../../test/apply-at-once.ts";
import { BatchChanges } from "./batch-changes.ts";
import { answerValues } from "./known-answers.ts";
import type { RespondentState } from "../respondents/respondent-state.ts";
import type { SubmissionBody } from "./submission.ts";

const start = new Date("2026-03-01T10:00:00Z");
const later = new Date("2026-03-01T11:00:00Z");
let ids = 0;
const newId = () => `i${(ids += 1)}`.padEnd(16, "0");
const id = (name: string) => name.padEnd(16, "0");

function ask(name: string, type: string, fields: object = {}): Question {
  const built = buildQuestions([{ type, text: name, ...fields }], newId);
  if ("violations" in built) throw new Error(JSON.stringify(built.violations));
  return { ...built.questions[0]!.question, elementId: id(name), questionId: id(`q${name}`) };
}

const page = (name: string, elements: Question[], rest: Partial<Page> = {}): Page => ({
  pageId: id(name),
  title: null,
  loop: null,
  skipLogic: [],
  elements,
  ...rest,
});

const brands = ask("brands", "multiple_choice", { multipleAnswers: true, choices: ["A", "B"] });
const [a, b] = brands.choices!.map((choice) => choice.id) as [string, string];
/** If `route` is 2, page 2 is skipped. Page 3 repeats for every brand. */
const definition: SurveyDefinition = {
  pages: [
    page("p1", [ask("route", "rating", { required: true }), ask("more", "long_text"), brands], {
      skipLogic: [{ when: { elementId: id("route"), operator: "equals", value: 2 }, goTo: id("p3") }],
    }),
    page("p2", [ask("name", "short_text", { required: true })]),
    page("p3", [ask("why", "short_text", { required: true })], { loop: { elementId: id("brands") } }),
    page("p4", [ask("contact", "contact_info")]),
  ],
};
const why = (choice: string) => `${id("why")}:${choice}`;

const started = (): RespondentState => ({
  workspaceId: "w",
  surveyId: "s",
  respondentId: "r",
  versionId: id("v"),
  versionNumber: 1,
  isTest: false,
  isAnonymous: false,
  hasContact: false,
  distributorId: "",
  startedAt: start,
  lastSeenAt: start,
  completedAt: null,
  exactStartedAt: null,
  exactSeenAt: null,
  pageId: "",
  language: "",
  fields: {},
  answerWeight: 0,
  answers: new Map(),
});

type Given = Record<string, unknown>;
const listed = (given: Given) => Object.entries(given).map(([name, value]) => ({ elementId: id(name), value }));

function submit(state: RespondentState, body: Partial<SubmissionBody>, edit = "always", now = later) {
  const changes = new BatchChanges();
  const version = { versionId: id("v"), versionNumber: 1, definition };
  const settings = settingsWithDefaults({ collection: { editAfterSubmit: edit } });
  const context = { version, settings, timeZone: "UTC", now, files: noFiles };
  return { ...applyAtOnce(state, { respondentId: "r", responses: [], ...body }, context, changes), changes };
}

function completed(given: Given): RespondentState {
  const state = started();
  expect(submit(state, { responses: listed(given) }, "always", start).completedNow).toBe(true);
  return state;
}

function violationsOf(state: RespondentState, body: Partial<SubmissionBody>, edit?: string): Record<string, string[]> {
  const before = structuredClone(state);
  try {
    submit(state, body, edit);
  } catch (error) {
    expect(state).toEqual(before);
    return (error as AppError).details as Record<string, string[]>;
  }
  return {};
}

describe("a required text", () => {
  test.each(["", " ", "\t\n", "\u200b", "\u00ad\u2060", "\ufeff", "\u3164", null])(
    "%j leaves it unanswered",
    (value) => {
      const state = started();
      expect(submit(state, { responses: listed({ route: 1, name: value }) }).completedNow).toBe(false);
      expect(state.answers.has(id("name"))).toBe(false);
    },
  );
});

describe("after completion a required answer must stay", () => {
  const long: Given = { route: 1, name: "Ada", more: "text" };

  test.each([null, "", "  ", "\u200b"])("%j cannot replace it", (value) => {
    const violations = violationsOf(completed(long), { responses: listed({ more: "other", name: value }) });
    expect(violations).toEqual({ "responses.1": [expect.stringContaining("taken back")] });
  });

  test("all retracted answers are listed, with any other violations", () => {
    const violations = violationsOf(completed(long), { responses: listed({ route: null, name: null, more: 5 }) });
    expect(Object.keys(violations).sort()).toEqual(["responses.0", "responses.1", "responses.2.value"]);
  });

  test("an optional answer may be removed, and a required one that becomes unreachable", () => {
    const state = completed(long);
    expect(violationsOf(state, { responses: listed({ more: null }) })).toEqual({});
    expect(violationsOf(state, { responses: listed({ route: 2, name: null }) })).toEqual({});
    expect([...state.answers.keys()]).toEqual([id("route")]);
  });

  test("a change that leads to a required question must answer it", () => {
    const state = completed({ route: 2 });
    expect(violationsOf(state, { responses: listed({ route: 3 }) })).toEqual({
      responses: [expect.stringContaining(id("name"))],
    });
    expect(violationsOf(state, { responses: listed({ route: 3, name: "\u200b" }) })).toEqual({
      "responses.1": [expect.stringContaining("taken back")],
    });
    expect(violationsOf(state, { responses: listed({ route: 3, name: 7 }) })).toEqual({
      "responses.1.value": [expect.any(String)],
    });
    expect(violationsOf(state, { responses: listed({ route: 3, name: "Ada" }) })).toEqual({});
  });

  test("a choice that makes a page repeat once more needs the answers of that repetition", () => {
    const state = completed({ route: 2, brands: [a], [why(a)]: "good" });
    expect(violationsOf(state, { responses: listed({ brands: [a, b] }) })).toEqual({
      responses: [expect.stringContaining(why(b))],
    });
    expect(violationsOf(state, { responses: listed({ brands: [b], [why(b)]: "better" }) })).toEqual({});
  });

  test("formerly missing answers do not block an edit", () => {
    const state = completed(long);
    state.answers.delete(id("name"));
    expect(violationsOf(state, { responses: listed({ more: "other" }) })).toEqual({});
  });

  test("after any changes in any order, no required answer is missing", () => {
    const value = fc.record(
      {
        route: fc.constantFrom(null, 1, 2),
        name: fc.constantFrom(null, "", "\u200b", "Ada"),
        brands: fc.constantFrom(null, [a], [b, a]),
        [why(a)]: fc.constantFrom(null, " ", "x"),
        [why(b)]: fc.constantFrom(null, "x"),
      },
      { requiredKeys: [] },
    );
    let taken = 0;
    fc.assert(
      fc.property(fc.array(value, { maxLength: 12 }), (all) => {
        const state = completed({ route: 2 });
        const violations = all.map((given) => violationsOf(state, { responses: listed(given) }));
        taken += violations.filter((each) => Object.keys(each).length === 0).length;
        expect([...missingRequired(definition, answerValues(state))]).toEqual([]);
      }),
    );
    expect(taken).toBeGreaterThan(50);
  });
});

describe("what stands already is no change", () => {
  const given: Given = { route: 2, brands: [a], [why(a)]: "good", contact: { firstName: "Ada", email: "a@b.co" } };

  test.each(["never", "until_complete", "always"])("with editAfterSubmit %s, after completion", (edit) => {
    const state = completed(given);
    const first = [...state.answers.keys()].map((answerKey) => ({
      answerId: answerId(state.respondentId, definition, answerKey),
      answerKey,
      submittedAt: start,
    }));
    const contact = { email: "a@b.co", firstName: "Ada" };
    const again = submit(state, { responses: listed({ ...given, contact, name: null }), pageId: id("p1") }, edit);
    expect(again.answers.slice(0, 4)).toEqual(first);
    expect(again.answers[4]).toMatchObject({ answerKey: id("name") });
    expect(again.completedNow).toBe(false);
    expect(again.changes).toEqual(new BatchChanges());
    expect(state.pageId).toBe("");
  });

  test("before completion only the page and the activity are written", () => {
    const state = started();
    const save = { responses: listed({ route: 2 }), pageId: id("p1") };
    const first = submit(state, save, "never", start);
    const { answers, changes } = submit(state, { ...save, pageId: id("p3") }, "never");
    expect(answers).toEqual(first.answers);
    expect(changes).toEqual(
      Object.assign(new BatchChanges(), { respondents: changes.respondents, activity: changes.activity }),
    );
    expect([...changes.respondents.values()]).toMatchObject([{ pageId: id("p3"), completedAt: null }]);
  });

  test.each([
    ["another value", { value: "x" }],
    ["another order of a list", { value: [b, a] }],
    ["another meta", { value: [a, b], meta: { device: "phone" } }],
  ])("%s is a change", (_name, change) => {
    const state = started();
    const answer = { elementId: id("brands"), value: [a, b], meta: { device: "desk", at: [1] } };
    submit(state, { responses: [answer, ...listed({ route: 2, [why(a)]: "x", [why(b)]: "y" })] }, "always", start);
    expect(state.completedAt).not.toBeNull();
    const responses = [{ elementId: id("brands"), ...change }];
    expect(violationsOf(state, { responses }, "until_complete")["responses.0"]).toEqual([
      expect.stringContaining("has completed"),
    ]);
    for (const same of [{}, { meta: { at: [1], device: "desk" } }]) {
      const repeated = { elementId: id("brands"), value: [a, b], ...same };
      const { changes } = submit(state, { responses: [repeated] }, "never");
      expect(changes.answers.size).toBe(0);
    }
  });

  test("an equal answer beside a change keeps its time and is not written", () => {
    const state = completed(given);
    const { answers, changes } = submit(state, { responses: listed({ route: 2, more: "new" }) });
    expect(answers.map(({ submittedAt }) => submittedAt)).toEqual([start, later]);
    expect([...changes.answers.values()].map(({ answerKey }) => answerKey)).toEqual([id("more")]);
  });

  test("a value that was accepted once and is refused today may be repeated", () => {
    const state = completed(given);
    state.answers.set(id("contact"), {
      value: { firstName: "\u200b" },
      meta: null,
      submittedAt: start,
    });
    expect(violationsOf(state, { responses: listed({ contact: { firstName: "\u200b" } }) }, "never")).toEqual({});
  });
});
