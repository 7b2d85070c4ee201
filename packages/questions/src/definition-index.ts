import { parseAnswerKey } from "./answer-key.ts";
import { questionTypeOf } from "./catalogue.ts";
import { offeredChoices } from "./chosen-choices.ts";
import type { Page, Question, SurveyDefinition } from "./definition.ts";
import type { QuestionType } from "./question-type.ts";

export type PlacedElement = { question: Question; type: QuestionType; page: Page; pageIndex: number };

/** `itemId` is the item of the loop; null on a page that does not repeat. */
export type PageVisit = { page: Page; itemId: string | null };

/** Lookup tables, computed once per definition, because every submission needs them. */
export type DefinitionIndex = {
  elements: ReadonlyMap<string, PlacedElement>;
  positions: ReadonlyMap<string, number>;
  pageIndexes: ReadonlyMap<string, number>;
  required: readonly (readonly PlacedElement[])[];
  /** All visits if there is no loop or skip logic, so that no answer changes them; otherwise null. */
  fixedVisits: readonly PageVisit[] | null;
};

const indexes = new WeakMap<SurveyDefinition, DefinitionIndex>();

/** Cached for the definition's lifetime, because definitions are immutable. */
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

/** Undefined unless the element exists and its page has a visit with the item of the key. */
export function findAnswerPlace(
  definition: SurveyDefinition,
  key: string,
): (PlacedElement & { itemId: string | null }) | undefined {
  const { elementId, itemId } = parseAnswerKey(key);
  const element = findElement(definition, elementId);
  if (!element) return undefined;
  return isVisit(definition, element.page, itemId) ? { ...element, itemId } : undefined;
}

/** Finds the page of `pageId`, or on a repeating page `pageId:itemId`; undefined if there is no such visit. */
export function findVisitedPage(definition: SurveyDefinition, visit: string): Page | undefined {
  const { elementId: pageId, itemId } = parseAnswerKey(visit);
  const page = definition.pages[indexOf(definition).pageIndexes.get(pageId) ?? -1];
  return page && (itemId === null || isVisit(definition, page, itemId)) ? page : undefined;
}

/** True if the loop's question offers the item, or if neither loop nor item exists. */
function isVisit(definition: SurveyDefinition, { loop }: Page, itemId: string | null): boolean {
  if (loop === null || itemId === null) return loop === null && itemId === null;
  const source = findElement(definition, loop.elementId);
  return (source?.type.loopItems?.(source.question, [itemId]) ?? []).length > 0;
}

/** Returns a unique, permanent number for an answer's place in a definition; undefined if there is no such place. */
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

export function findElement(definition: SurveyDefinition, elementId: string): PlacedElement | undefined {
  return indexOf(definition).elements.get(elementId);
}
