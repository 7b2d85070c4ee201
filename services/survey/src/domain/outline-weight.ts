import type { Fault } from "@canvass/inputs";
import {
  addWeights,
  emptyWeight,
  pageWeight,
  questionWeight,
  weightFaults,
  type Page,
  type Question,
  type SurveyDefinition,
  type Weight,
} from "@canvass/questions";

/** What a draft has, and what each of its elements weighs. */
interface Weighed {
  definition: SurveyDefinition;
  weights: ReadonlyMap<string, Weight>;
}

/** Why a draft can not hold a question in place of what it holds under its id. */
export function replacementFaults({ definition, weights }: Weighed, question: Question): Fault[] {
  const others = new Map(weights);
  others.delete(question.elementId);
  const held = addWeights([emptyWeight, ...definition.pages.map(pageWeight), ...others.values()]);
  return weightFaults(held, [{ path: "body", ...questionWeight(question) }]);
}

/** Why a draft can not hold a page in place of what it holds under its id. */
export function pageReplacementFaults({ definition, weights }: Weighed, page: Page): Fault[] {
  const others = definition.pages.filter(({ pageId }) => pageId !== page.pageId).map(pageWeight);
  const held = addWeights([emptyWeight, ...others, ...weights.values()]);
  return weightFaults(held, [{ path: "body", ...pageWeight(page) }]);
}
