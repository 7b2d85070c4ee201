import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ask, page } from "../test/sample-survey.ts";
import { surveys } from "../test/survey-arbitrary.ts";
import { withLogic } from "./element-logic.ts";
import {
  brokenConstraints,
  isLastReachable,
  keepWalk,
  missingRequired,
  reachablePages,
  requiredKeys,
  shownKeyPredicate,
  type Answers,
} from "./logic.ts";
import type { SurveyDefinition } from "./definition.ts";
import { sampleRespondent } from "./samples/sample-respondent.ts";

const seeds = fc.integer({ min: 1, max: 2_147_483_646 });

/** All that one walk decides. */
function decided(definition: SurveyDefinition, answers: Answers) {
  return [
    reachablePages(definition, answers).map(({ page, itemId, shown }) => [page, itemId, shown]),
    [...missingRequired(definition, answers)],
    [...brokenConstraints(definition, answers)],
    [...requiredKeys(definition, answers)],
  ];
}

test("a kept way decides what a new one does, however often it is asked, for each definition", () => {
  fc.assert(
    fc.property(surveys, surveys, seeds, (definition, other, seed) => {
      let state = seed;
      const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
      const { answers } = sampleRespondent(definition, random);
      const kept = keepWalk({ get: (key) => answers.get(key) });
      // A way is walked as far as it is asked for, here in pieces.
      for (const { pageId } of definition.pages) {
        const broken = [...brokenConstraints(definition, answers)].filter(
          (each) => each.pageId === pageId && each.itemId === null,
        );
        expect([...brokenConstraints(definition, kept, new Set([pageId]))]).toEqual(broken);
        isLastReachable(definition, kept, pageId);
      }
      for (const each of [definition, other, definition]) {
        expect(decided(each, kept)).toEqual(decided(each, answers));
      }
    }),
  );
});

/** Each question is shown if the one before has an answer. */
function chained(length: number, perPage: number): SurveyDefinition {
  const questions = Array.from({ length }, (_, number) => {
    const showIf = { elementId: `q${number - 1}`, operator: "answered" as const };
    return number === 0 ? ask("q0") : withLogic(ask(`q${number}`), { showIf });
  });
  const pages = Array.from({ length: length / perPage }, (_, at) =>
    page(`p${at}`, questions.slice(at * perPage, (at + 1) * perPage)),
  );
  return { pages };
}

/** Answers that note which of them are read. */
function watched(count: number) {
  const read = new Set<string>();
  const all = new Map(Array.from({ length: count }, (_, number) => [`q${number}`, "x"]));
  return { read, get: (key: string) => (read.add(key), all.get(key)) };
}

test("whether an element is shown is decided only if somebody asks for it", () => {
  const survey: SurveyDefinition = {
    pages: Array.from({ length: 30 }, (_, at) => {
      const [first, second, third] = [3 * at, 3 * at + 1, 3 * at + 2].map((number) => ask(`q${number}`));
      const showIf = { elementId: `q${Math.max(0, 3 * at - 2)}`, operator: "answered" as const };
      const shown = at === 0 ? second! : withLogic(second!, { showIf });
      const constraints = [{ must: { elementId: second!.elementId, operator: "answered" as const }, message: "No." }];
      return page(`p${at}`, [first!, shown, withLogic(third!, { constraints })]);
    }),
  };
  const answers = watched(90);
  expect([...brokenConstraints(survey, answers, new Set(["p20"]))]).toEqual([]);
  // The one that the constraint asks, and the chain of those that show it.
  const chain = Array.from({ length: 21 }, (_, at) => `q${3 * at + 1}`);
  expect([...answers.read].toSorted()).toEqual(chain.toSorted());
});

test.each([10, 1_000])("a chain of 5,000 elements, %i on a page, is decided without nesting", (perPage) => {
  const survey = chained(5_000, perPage);
  const all = watched(5_000);
  expect(isLastReachable(survey, all, survey.pages.at(-1)!.pageId)).toBe(true);
  expect(shownKeyPredicate(survey, watched(5_000))("q4999")).toBe(true);
  expect(shownKeyPredicate(survey, watched(4_998))("q4999")).toBe(false);
});
