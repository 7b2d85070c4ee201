import { parseAnswerKey } from "./answer-key.ts";
import { questionTypeOf } from "./catalogue.ts";
import { offeredChoices } from "./chosen-choices.ts";
import type { Page, Question, SurveyDefinition } from "./definition.ts";
import type { QuestionType } from "./question-type.ts";

/** Where an element stands and what it is. */
export type PlacedElement = { question: Question; type: QuestionType; page: Page; pageIndex: number };

/** One visit to a page: `itemId` is the loop's item, null on pages that do not repeat. */
export type PageVisit = { page: Page; itemId: string | null };

/** What the walk over a definition looks up for every submission, computed once per definition. */
export type DefinitionIndex = {
  elements: ReadonlyMap<string, PlacedElement>;
  /** Where each element stands among all of them, from 0. */
  positions: ReadonlyMap<string, number>;
  pageIndexes: ReadonlyMap<string, number>;
  required: readonly (readonly PlacedElement[])[];
  /** The visits when no page has a loop or skip logic, so that they depend on no answer; else null. */
  fixedVisits: readonly PageVisit[] | null;
};

const indexes = new WeakMap<SurveyDefinition, DefinitionIndex>();

/** The index of a definition. Definitions are immutable, so it is kept as long as the definition lives. */
export function indexOf(definition: SurveyDefinition): DefinitionIndex {
  let index = indexes.get(definition);
  if (!index) {
    index = buildIndex(definition);
    indexes.set(definition, index);
  }
  return index;
}

function buildIndex({ pages }: SurveyDefinition): DefinitionIndex {
  const placed = pages.map((page, pageIndex) =>
    page.elements.map((question): PlacedElement => ({ question, type: questionTypeOf(question), page, pageIndex })),
  );
  const isFixed = pages.every((page) => page.loop === null && page.skipLogic.length === 0);
  return {
    elements: new Map(placed.flat().map((element) => [element.question.elementId, element])),
    positions: new Map(placed.flat().map(({ question }, index) => [question.elementId, index])),
    pageIndexes: new Map(pages.map((page, index) => [page.pageId, index])),
    required: placed.map((elements) =>
      elements.filter(({ type, question }) => type.answerable && question.responseValidation.required),
    ),
    fixedVisits: isFixed ? pages.map((page) => ({ page, itemId: null })) : null,
  };
}

/**
 * Where an answer key points: the element, its type and its page, and the loop's item. Undefined when the definition
 * has no such element, when the item is missing on a page that repeats (or given on one that does not), and when it is
 * nothing the loop's question offers.
 */
export function findAnswerPlace(
  definition: SurveyDefinition,
  key: string,
): (PlacedElement & { itemId: string | null }) | undefined {
  const { elementId, itemId } = parseAnswerKey(key);
  const element = findElement(definition, elementId);
  if (!element) return undefined;
  return isVisit(definition, element.page, itemId) ? { ...element, itemId } : undefined;
}

/**
 * The page that `pageId` or, on a page that repeats, `pageId:itemId` names; undefined when the definition has no such page
 * or its loop's question does not offer the item.
 */
export function findVisitedPage(definition: SurveyDefinition, visit: string): Page | undefined {
  const { elementId: pageId, itemId } = parseAnswerKey(visit);
  const page = definition.pages[indexOf(definition).pageIndexes.get(pageId) ?? -1];
  return page && (itemId === null || isVisit(definition, page, itemId)) ? page : undefined;
}

/** Whether a page can be visited for that item: one that repeats for what its loop's question offers, others for none. */
function isVisit(definition: SurveyDefinition, { loop }: Page, itemId: string | null): boolean {
  if (loop === null || itemId === null) return loop === null && itemId === null;
  const source = findElement(definition, loop.elementId);
  return (source?.type.loopItems?.(source.question, [itemId]) ?? []).length > 0;
}

/**
 * The number of an answer's place in a definition: different for every place, the same for good. Elements in their order
 * come first, then those on pages that repeat, once more for each item there can be. Undefined where findAnswerPlace
 * finds none.
 */
export function answerNumber(definition: SurveyDefinition, key: string): number | undefined {
  const place = findAnswerPlace(definition, key);
  if (!place) return undefined;
  const { positions } = indexOf(definition);
  return itemNumber(definition, place) * positions.size + positions.get(place.question.elementId)!;
}

function itemNumber(definition: SurveyDefinition, { page, itemId }: PageVisit): number {
  const source = page.loop && findElement(definition, page.loop.elementId);
  return source ? 1 + offeredChoices(source.question).findIndex(({ id }) => id === itemId) : 0;
}

/** The element with that id, its type and its page; undefined when the definition has none. */
export function findElement(definition: SurveyDefinition, elementId: string): PlacedElement | undefined {
  return indexOf(definition).elements.get(elementId);
}
