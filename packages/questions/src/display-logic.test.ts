import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ask, page, rule } from "../test/sample-survey.ts";
import { simpleWalk } from "../test/simple-walk.ts";
import { answersTo, surveys } from "../test/survey-arbitrary.ts";
import type { AnswerCondition, Condition } from "./conditions/condition.ts";
import type { ElementLogic, Page, Question, SurveyDefinition } from "./definition.ts";
import {
  brokenConstraints,
  dependsOnAnswers,
  hiddenEntriesLookup,
  isLastReachable,
  isLinear,
  missingRequired,
  newlyMissing,
  reachablePages,
  requiredKeys,
  shownKeyPredicate,
} from "./logic.ts";
import { reachedKeys } from "../test/reached-keys.ts";

const when = (elementId: string, operator: AnswerCondition["operator"], value?: unknown): Condition =>
  rule(elementId, operator, value, "").when;
const withLogic = (question: Question, logic: ElementLogic): Question => ({ ...question, logic });
const given = (answers: Record<string, unknown>) => new Map(Object.entries(answers));
const shownOf = (survey: SurveyDefinition, answers: Record<string, unknown>) => [
  ...reachedKeys(survey, given(answers)),
];
const missingOf = (survey: SurveyDefinition, answers: Record<string, unknown>) =>
  Array.from(missingRequired(survey, given(answers)), ({ key }) => key);
const brokenOf = (survey: SurveyDefinition, answers: Record<string, unknown>) =>
  Array.from(brokenConstraints(survey, given(answers)), ({ key, message }) => `${key} ${message}`);

test("shown, required, missing and broken elements equal those of a simple evaluation", () => {
  const answered = surveys.chain((definition) => fc.tuple(fc.constant(definition), answersTo(definition)));
  let [hidden, broken, entries] = [0, 0, 0];
  fc.assert(
    fc.property(answered, ([definition, answers]) => {
      const expected = simpleWalk(definition, answers);
      expect([...reachedKeys(definition, answers)]).toEqual(expected.shown);
      expect([...requiredKeys(definition, answers)]).toEqual(expected.required);
      expect(Array.from(missingRequired(definition, answers), ({ key }) => key)).toEqual(expected.missing);
      expect(Array.from(brokenConstraints(definition, answers), ({ key }) => key)).toEqual(expected.broken);
      const isShown = shownKeyPredicate(definition, answers);
      const asked = [...answers.keys(), ...expected.shown];
      expect(asked.filter(isShown)).toEqual(asked.filter((key) => expected.shown.includes(key)));
      const hiddenOf = hiddenEntriesLookup(definition, answers);
      const gone = [...new Set(asked)].flatMap((key) => [...(hiddenOf(key) ?? [])].map((id) => `${key} ${id}`));
      expect(gone.toSorted()).toEqual(expected.hiddenEntries.toSorted());
      if (gone.length > 0) entries++;
      const visited = reachablePages(definition, answers);
      if (visited.some(({ page: { elements }, shown }) => shown.length < elements.length)) hidden++;
      if (expected.broken.length > 0) broken++;
    }),
    { numRuns: 1_500 },
  );
  expect(hidden).toBeGreaterThan(50);
  expect(broken).toBeGreaterThan(20);
  expect(entries).toBeGreaterThan(50);
});

test("newly missing is missing after and not before, with any logic", () => {
  const twice = surveys.chain((definition) =>
    fc.tuple(fc.constant(definition), answersTo(definition), answersTo(definition)),
  );
  fc.assert(
    fc.property(twice, ([definition, before, after]) => {
      const known = new Set(simpleWalk(definition, before).missing);
      const expected = simpleWalk(definition, after).missing.filter((key) => !known.has(key));
      expect(Array.from(newlyMissing(definition, before, after), ({ key }) => key)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

describe("display logic", () => {
  const yesNo = ask("pet", "yes_no");
  const name = withLogic(ask("name", "short_text", { required: true }), { showIf: when("pet", "equals", true) });
  const after = withLogic(ask("after"), { showIf: when("name", "answered") });

  test("shows elements by answers before them, also of the same page", () => {
    const survey = { pages: [page("p1", [yesNo, name, after])] };
    expect(shownOf(survey, {})).toEqual(["pet"]);
    expect(shownOf(survey, { pet: true })).toEqual(["pet", "name"]);
    expect(shownOf(survey, { pet: true, name: "Rex" })).toEqual(["pet", "name", "after"]);
    expect(missingOf(survey, { pet: true })).toEqual(["name"]);
    expect(missingOf(survey, {})).toEqual([]);
    expect([isLinear(survey), dependsOnAnswers(survey)]).toEqual([false, true]);
  });

  test("does not count what a hidden element was answered", () => {
    const survey = { pages: [page("p1", [yesNo, name]), page("p2", [after])] };
    expect(shownOf(survey, { pet: false, name: "Rex" })).toEqual(["pet"]);
    expect(isLastReachable(survey, given({ pet: false, name: "Rex" }), "p1")).toBe(true);
    expect(isLastReachable(survey, given({ pet: true, name: "Rex" }), "p2")).toBe(true);
  });

  test("passes over a page whose condition does not hold, or of which nothing is shown, with its rules", () => {
    const hiding = { showIf: when("pet", "equals", true) };
    const end = [rule("pet", "answered", undefined, "end")];
    const survey = (second: Page) => ({ pages: [page("p1", [yesNo]), second, page("p3", [ask("last")])] });
    for (const second of [
      page("p2", [ask("x")], { ...hiding, skipLogic: end }),
      page("p2", [withLogic(ask("x"), hiding)], { skipLogic: end }),
    ]) {
      expect(shownOf(survey(second), { pet: false })).toEqual(["pet", "last"]);
      expect(shownOf(survey(second), { pet: true })).toEqual(["pet", "x"]);
    }
  });

  test("requires by answers", () => {
    const survey = {
      pages: [page("p1", [yesNo, withLogic(ask("why"), { requiredIf: when("pet", "equals", false) })])],
    };
    expect(missingOf(survey, { pet: false })).toEqual(["why"]);
    expect(missingOf(survey, { pet: true })).toEqual([]);
    expect([isLinear(survey), dependsOnAnswers(survey)]).toEqual([true, true]);
  });
});

describe("constraints", () => {
  const survey = (must: Condition): SurveyDefinition => ({
    pages: [
      page("p1", [
        ask("from", "number"),
        ask("show", "yes_no"),
        withLogic(ask("to", "number"), {
          showIf: when("show", "not_equals", false),
          constraints: [{ must, message: "after from" }],
        }),
      ]),
    ],
  });
  const later: Condition = { elementId: "to", operator: "greater_than", answerOf: "from" };

  test.each<[Condition, Record<string, unknown>, boolean]>([
    [later, { from: 1, to: 2 }, false],
    [later, { from: 2, to: 2 }, true],
    [later, { from: 2, to: 2, show: false }, false],
    [later, { to: 2 }, false],
    [later, { from: 2 }, false],
    [{ not: later }, { from: 2 }, false],
    [{ not: later }, { from: 1, to: 2 }, true],
    [{ all: [later, when("to", "less_than", 10)] }, { to: 12 }, true],
    [{ any: [later, when("to", "less_than", 10)] }, { to: 12 }, false],
    [{ any: [when("from", "answered"), when("to", "answered")] }, {}, true],
    [{ any: [when("from", "answered"), when("to", "answered")] }, { from: 1 }, false],
    [when("to", "not_answered"), { to: 1 }, true],
    [when("from", "not_equals", 3), {}, false],
    [when("from", "not_equals", 3), { from: 3 }, true],
  ])("%j with %j is broken: %s", (must, answers, isBroken) => {
    expect(brokenOf(survey(must), answers)).toEqual(isBroken ? ["to after from"] : []);
  });
});
