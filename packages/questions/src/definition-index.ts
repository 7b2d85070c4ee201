import { parseAnswerKey } from "./answer-key.ts";
import { questionTypeOf } from "./catalogue.ts";
import { withCarried } from "./carried-choices.ts";
import { choicesAndOther } from "./chosen-choices.ts";
import { conditionalEntries, type ConditionalEntries } from "./conditional-entries.ts";
import { askedElements } from "./conditions/tree.ts";
import type { Page, Question, SurveyDefinition } from "./definition.ts";
import type { HiddenField } from "./fields/hidden-field.ts";
import type { QuestionType } from "./question-type.ts";

/** `order`: its place in the survey, from 0. `entries`: null if all are always shown. */
export type PlacedElement = {
  /** With the choices that it carries. */
  question: Question;
  /** As the definition has it. */
  written: Question;
  type: QuestionType;
  page: Page;
  pageIndex: number;
  order: number;
  entries: ConditionalEntries | null;
};

/** `itemId` is the item of the loop; null on a page that does not repeat. */
export type PageVisit = { page: Page; itemId: string | null };

/** A visit of a respondent. `shown` has at least one element, unless the page has none. */
export type Visit = PageVisit & { shown: readonly PlacedElement[] };

/** Lookup tables, computed once per definition, because every submission needs them. */
export type DefinitionIndex = {
  elements: ReadonlyMap<string, PlacedElement>;
  /** Hidden fields by name. */
  fields: ReadonlyMap<string, HiddenField>;
  pageIndexes: ReadonlyMap<string, number>;
  /** Index of the first page of each block. */
  firstOfBlock: ReadonlyMap<string, number>;
  /** Elements by page. */
  placed: readonly (readonly PlacedElement[])[];
  /** By page, the order of its first element, or of the next one. The last entry is the number of elements. */
  firstOrders: readonly number[];
  /** By page, elements that are required, or may be. */
  required: readonly (readonly PlacedElement[])[];
  /** By page. */
  constrained: readonly (readonly PlacedElement[])[];
  /** All visits if there is no loop, skip logic or display logic, so that no answer changes them; otherwise null. */
  fixedVisits: readonly Visit[] | null;
  /** Whether a condition decides what is required or valid. */
  judgesAnswers: boolean;
  /** Whether an element is shown by another, which is shown by another, and so on, more often than a call may nest. */
  hasLongChains: boolean;
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

function buildIndex({ pages, fields = [] }: SurveyDefinition): DefinitionIndex {
  const firstOrders = [0];
  const before = new Map<string, Question>();
  const placed = pages.map((page, pageIndex) => {
    const first = firstOrders.at(-1)!;
    firstOrders.push(first + page.elements.length);
    return page.elements.map((written, at): PlacedElement => {
      const type = questionTypeOf(written);
      const question = withCarried(written, type, (from) => before.get(from.elementId));
      before.set(question.elementId, question);
      return { question, written, type, page, pageIndex, order: first + at, entries: conditionalEntries(question) };
    });
  });
  const all = placed.flat();
  const isFixed =
    pages.every((page) => page.loop === null && page.skipLogic.length === 0 && !page.showIf) &&
    all.every(isAlwaysShown);
  return {
    elements: new Map(all.map((element) => [element.question.elementId, element])),
    fields: new Map(fields.map((field) => [field.name, field])),
    pageIndexes: new Map(pages.map((page, index) => [page.pageId, index])),
    firstOfBlock: firstPages(pages),
    placed,
    firstOrders,
    required: placed.map((elements) => elements.filter(mayBeRequired)),
    constrained: placed.map((elements) => elements.filter(({ question }) => question.logic?.constraints)),
    fixedVisits: isFixed ? pages.map((page, index) => ({ page, itemId: null, shown: placed[index]! })) : null,
    judgesAnswers: all.some(({ question: { logic } }) => logic?.requiredIf ?? logic?.constraints),
    hasLongChains: longestChain(all) > mostNested,
  };
}

const mostNested = 100;

/** Returns how many elements one may ask in turn, at most, to decide whether it is shown. */
function longestChain(elements: readonly PlacedElement[]): number {
  const lengths = new Map<string, number>();
  let longest = 0;
  for (const { question } of elements) {
    const { showIf, entries = {}, choicesFrom } = question.logic ?? {};
    const asked = [showIf, ...Object.values(entries)].flatMap((each) => (each ? [...askedElements(each)] : []));
    const before = [...asked, choicesFrom?.elementId ?? ""].map((elementId) => lengths.get(elementId) ?? 0);
    const length = 1 + Math.max(...before);
    lengths.set(question.elementId, length);
    longest = Math.max(longest, length);
  }
  return longest;
}

/** Whether an element is shown on each visit of its page, with all that belongs to it. */
export const isAlwaysShown = ({ question, entries }: PlacedElement): boolean => !question.logic?.showIf && !entries;

function firstPages(pages: readonly Page[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const [index, { block }] of pages.entries()) {
    if (block !== undefined && !first.has(block)) first.set(block, index);
  }
  return first;
}

const mayBeRequired = ({ type, question }: PlacedElement): boolean =>
  type.answerable && (question.responseValidation.required || question.logic?.requiredIf !== undefined);

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
  return itemNumber(definition, place) * indexOf(definition).elements.size + place.order;
}

function itemNumber(definition: SurveyDefinition, { page, itemId }: PageVisit): number {
  const source = page.loop && findElement(definition, page.loop.elementId);
  return source ? 1 + choicesAndOther(source.question).findIndex(({ id }) => id === itemId) : 0;
}

/** Returns the definition whose questions have the choices that they carry; the same one if none does. */
export function withCarriedChoices(definition: SurveyDefinition): SurveyDefinition {
  const { placed } = indexOf(definition);
  if (placed.every((elements) => elements.every(({ question, written }) => question === written))) return definition;
  const pages = definition.pages.map((page, at) => ({
    ...page,
    elements: placed[at]!.map(({ question }) => question),
  }));
  return { ...definition, pages };
}

export function findElement(definition: SurveyDefinition, elementId: string): PlacedElement | undefined {
  return indexOf(definition).elements.get(elementId);
}
