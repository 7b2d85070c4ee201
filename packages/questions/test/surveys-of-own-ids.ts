import { mapLeaves } from "../src/conditions/tree.ts";
import type { SurveyDefinition } from "../src/definition.ts";
import { surveys } from "./survey-arbitrary.ts";

/** As services make them: no two entries have one id. */
export const surveysOfOwnIds = surveys.map(({ pages, ...lists }): SurveyDefinition => {
  const ownIds = <Value>(elementId: string, value: Value) =>
    JSON.parse(JSON.stringify(value).replaceAll(/"(\d{16})"/g, `"${elementId}_$1"`)) as Value;
  return {
    ...lists,
    pages: pages.map((page) => ({
      ...page,
      elements: page.elements.map((question) => ownIds(question.elementId, question)),
      skipLogic: page.skipLogic.map(({ when, goTo }) => ({
        when: mapLeaves(when, (leaf) => ownIds(leaf.elementId, leaf))!,
        goTo,
      })),
    })),
  };
});
