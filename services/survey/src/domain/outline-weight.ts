import type { Violation } from "@canvass/inputs";
import {
  addWeights,
  emptyWeight,
  listsWeight,
  pageWeight,
  questionWeight,
  weightViolations,
  type Page,
  type Question,
  type SurveyDefinition,
  type Weight,
} from "@canvass/questions";

interface Weighed {
  definition: SurveyDefinition;
  weights: ReadonlyMap<string, Weight>;
}

export function* weighQuestion({ definition, weights }: Weighed, question: Question): Generator<void, Violation[]> {
  const others = new Map(weights);
  others.delete(question.elementId);
  const held = addWeights([listsWeight(definition), yield* weighPages(definition.pages), ...others.values()]);
  return weightViolations(held, [{ path: "body", ...questionWeight(question) }]);
}

export function* weighPage({ definition, weights }: Weighed, page: Page): Generator<void, Violation[]> {
  const others = definition.pages.filter(({ pageId }) => pageId !== page.pageId);
  const held = addWeights([listsWeight(definition), yield* weighPages(others), ...weights.values()]);
  return weightViolations(held, [{ path: "body", ...pageWeight(page) }]);
}

export function* weighLists({ definition, weights }: Weighed, path: string): Generator<void, Violation[]> {
  const held = addWeights([yield* weighPages(definition.pages), ...weights.values()]);
  return weightViolations(held, [{ path, ...listsWeight(definition) }]);
}

function* weighPages(pages: readonly Page[]): Generator<void, Weight> {
  let weight = emptyWeight;
  for (const page of pages) {
    weight = addWeights([weight, pageWeight(page)]);
    yield;
  }
  return weight;
}
