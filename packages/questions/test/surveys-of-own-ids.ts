import type { Condition } from "../src/conditions/condition.ts";
import { asksAnswers, mapLeaves } from "../src/conditions/tree.ts";
import type { SurveyDefinition } from "../src/definition.ts";
import { withLogic } from "../src/element-logic.ts";
import { surveys } from "./survey-arbitrary.ts";

/** Random surveys in which no two entries have the same id, as services make them. */
export const surveysOfOwnIds = surveys.map(({ pages, ...lists }): SurveyDefinition => {
  const ownIds = <Value>(elementId: string, value: Value) =>
    JSON.parse(JSON.stringify(value).replaceAll(/"(\d{16})"/g, `"${elementId}_$1"`)) as Value;
  const sources = new Map(
    pages.flatMap(({ elements }) => elements.map(({ elementId, logic }) => [elementId, logic?.choicesFrom?.elementId])),
  );
  /** The element whose choices a question has. */
  const rootOf = (elementId: string): string => {
    const source = sources.get(elementId);
    return source === undefined ? elementId : rootOf(source);
  };
  const owned = (condition: Condition) =>
    mapLeaves(condition, (leaf) => (asksAnswers(leaf) ? ownIds(rootOf(leaf.elementId), leaf) : leaf))!;
  return {
    ...lists,
    pages: pages.map(({ showIf, ...page }) => ({
      ...page,
      ...(showIf && { showIf: owned(showIf) }),
      elements: page.elements.map(({ logic = {}, ...question }) => {
        const { showIf: shown, requiredIf, constraints, entries = {}, defaultValue, choicesFrom } = logic;
        return withLogic(ownIds(question.elementId, question), {
          ...(shown && { showIf: owned(shown) }),
          ...(requiredIf && { requiredIf: owned(requiredIf) }),
          entries: Object.fromEntries(
            Object.entries(entries).map(([id, each]) => [`${question.elementId}_${id}`, owned(each)]),
          ),
          ...(constraints && { constraints: constraints.map((each) => ({ ...each, must: owned(each.must) })) }),
          ...(choicesFrom && { choicesFrom }),
          ...(defaultValue !== undefined && { defaultValue: ownIds(question.elementId, defaultValue) }),
        });
      }),
      skipLogic: page.skipLogic.map(({ when, goTo }) => ({ when: owned(when), goTo })),
    })),
  };
});
