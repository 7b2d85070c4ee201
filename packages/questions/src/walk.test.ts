import * as fc from "fast-check";
import { expect, test } from "vitest";
import { surveys } from "../test/survey-arbitrary.ts";
import {
  brokenConstraints,
  isLastReachable,
  keepWalk,
  missingRequired,
  reachablePages,
  requiredKeys,
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
      for (const last of definition.pages.keys()) {
        const broken = [...brokenConstraints(definition, answers)].filter(
          ({ pageId }) => definition.pages.findIndex((page) => page.pageId === pageId) <= last,
        );
        expect([...brokenConstraints(definition, kept, last)]).toEqual(broken);
        isLastReachable(definition, kept, definition.pages[last]!.pageId);
      }
      for (const each of [definition, other, definition]) {
        expect(decided(each, kept)).toEqual(decided(each, answers));
      }
    }),
  );
});
