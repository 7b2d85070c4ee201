import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ask, page, rule } from "../test/sample-survey.ts";
import { answersTo, knownAnswers, surveys } from "../test/survey-arbitrary.ts";
import { answerKey } from "./answer-key.ts";
import type { Question, SurveyDefinition } from "./definition.ts";
import { withLogic } from "./element-logic.ts";
import { judgingElements } from "./judging-elements.ts";
import { mayEndOn } from "./last-pages.ts";
import { brokenConstraints, hiddenEntriesLookup, isLastReachable, reachablePages, type Answers } from "./logic.ts";

const surveysWithAnswers = surveys.chain((definition) =>
  fc.tuple(fc.constant(definition), answersTo(definition), fc.nat(definition.pages.length - 1)),
);

/** What is wrong with answers to a page. */
function judged(definition: SurveyDefinition, answers: Answers, pageId: string) {
  const { elements } = definition.pages.find((each) => each.pageId === pageId)!;
  const ids = new Set(elements.map(({ elementId }) => elementId));
  const hidden = hiddenEntriesLookup(definition, answers);
  return {
    broken: [...brokenConstraints(definition, answers)]
      .filter((each) => each.pageId === pageId && answers.get(each.key) !== undefined)
      .map(({ key, message }) => [key, message]),
    hidden: [...ids].map((elementId) => [elementId, hidden(elementId)]),
  };
}

test("answers to a page are judged alike by the answers of its judging elements and by all answers", () => {
  let fewer = 0;
  fc.assert(
    fc.property(surveysWithAnswers, ([definition, answers, at]) => {
      const { pageId, elements, loop } = definition.pages[at]!;
      if (loop) return;
      const own = elements.map(({ elementId }) => elementId);
      const asked = judgingElements(definition, own);
      if (asked === null) return;
      const read = new Set([...own, ...asked]);
      const known = knownAnswers(
        [...answers].filter(([key]) => read.has(key)),
        answers.context,
      );
      expect(judged(definition, known, pageId)).toEqual(judged(definition, answers, pageId));
      const { broken, hidden } = judged(definition, answers, pageId);
      if (known.size < answers.size && (broken.length > 0 || hidden.some(([, ids]) => ids))) fewer++;
    }),
    { numRuns: 1_000 },
  );
  expect(fewer).toBeGreaterThan(20);
});

test("the path ends only on possible last pages", () => {
  let certain = 0;
  fc.assert(
    fc.property(surveysWithAnswers, ([definition, answers]) => {
      for (const { page: visited, itemId } of reachablePages(definition, answers)) {
        const visit = answerKey(visited.pageId, itemId);
        if (isLastReachable(definition, answers, visit)) expect(mayEndOn(definition, visit)).toBe(true);
        else if (!mayEndOn(definition, visit)) certain++;
      }
    }),
    { numRuns: 300 },
  );
  expect(certain).toBeGreaterThan(50);
});

const asks = (elementId: string) => ({ elementId, operator: "answered" as const });
const shownBy = (elementId: string, by: string) => withLogic(ask(elementId), { showIf: asks(by) });
const constrained = (elementId: string, by: string) =>
  withLogic(ask(elementId), { constraints: [{ must: asks(by), message: "No." }] });

test("a constraint needs the questions it depends on, their display conditions, and rules that skip them", () => {
  const survey: SurveyDefinition = {
    pages: [
      page("p1", [ask("a"), ask("b"), ask("c")]),
      page("p2", [ask("d"), shownBy("e", "a")], { skipLogic: [rule("c", "equals", "x", "p4")] }),
      page("p3", [ask("f"), ask("g")]),
      page("p4", [constrained("h", "e"), shownBy("i", "f")]),
      page("p5", [ask("j")], { skipLogic: [rule("g", "equals", "x", "end")] }),
    ],
  };
  expect(judgingElements(survey, ["h"])?.toSorted()).toEqual(["a", "c", "e", "h"]);
  expect(judgingElements(survey, ["i"])?.toSorted()).toEqual(["a", "c", "e", "h"]);
  expect(judgingElements(survey, ["a", "d", "f", "j", "unknown"])).toEqual([]);
});

test("a page that repeats needs all answers, and so does what asks it", () => {
  const source = ask("a", "multiple_choice", { multipleAnswers: true });
  const survey: SurveyDefinition = {
    pages: [
      page("p1", [source]),
      page("p2", [ask("b")], { loop: { elementId: "a" } }),
      page("p3", [constrained("c", "b"), ask("d")]),
    ],
  };
  expect(judgingElements(survey, [`b:${source.choices![0]!.id}`])).toBeNull();
  expect(judgingElements(survey, ["d"])).toBeNull();
  expect(judgingElements(survey, ["a"])).toEqual([]);
});

test.each([
  ["a page that is always visited follows", [page("p1", [ask("a")]), page("p2", [ask("b")])], false],
  [
    "a rule may end it",
    [page("p1", [ask("a")], { skipLogic: [rule("a", "equals", "x", "end")] }), page("p2", [])],
    true,
  ],
  [
    "a rule leads to such a page",
    [page("p1", [ask("a")], { skipLogic: [rule("a", "equals", "x", "p3")] }), page("p2", []), page("p3", [])],
    false,
  ],
  ["what follows may be hidden", [page("p1", [ask("a")]), page("p2", [shownBy("b", "a")])], true],
  ["some of what follows may be hidden", [page("p1", [ask("a")]), page("p2", [shownBy("b", "a"), ask("c")])], false],
  [
    "the page that follows may be hidden",
    [page("p1", [ask("a")]), page("p2", [ask("b")], { showIf: asks("a") })],
    true,
  ],
])("whether a path may end on a page: %s", (_name, pages, expected) => {
  expect(mayEndOn({ pages }, "p1")).toBe(expected);
  expect(mayEndOn({ pages }, "unknown")).toBe(false);
});

test("carried choices need the answers that they come from", () => {
  const carries = (elementId: string, from: string): Question => {
    const { choices: _, ...question } = ask(elementId, "multiple_choice");
    return { ...question, logic: { choicesFrom: { elementId: from, which: "selected" } } };
  };
  const survey: SurveyDefinition = {
    pages: [
      page("p1", [ask("a", "multiple_choice")]),
      page("p2", [carries("b", "a")]),
      page("p3", [carries("c", "b"), ask("d")]),
    ],
  };
  expect(judgingElements(survey, ["c"])?.toSorted()).toEqual(["a", "b", "c"]);
  expect(mayEndOn(survey, "p2")).toBe(false);
});
