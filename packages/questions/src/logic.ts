import { answerKey } from "./answer-key.ts";
import type { Page, SkipRule, SurveyDefinition } from "./definition.ts";
import { type DefinitionIndex, indexOf, type PageVisit, type PlacedElement } from "./definition-index.ts";
import { holdsUnanswered, satisfies } from "./skip-condition.ts";

/** A respondent's standing answers by answer key (see answer-key.ts); a Map will do. */
export type Answers = { get(key: string): unknown };

/** A required question that was reached and not answered. `key` is its answer key. */
export type MissingAnswer = { key: string; elementId: string; itemId: string | null; pageId: string };

type Walk = {
  index: DefinitionIndex;
  pages: readonly Page[];
  answers: Answers;
  visits: PageVisit[];
  /** Pages visited so far: answers on skipped pages are left over from another way and count as not given. */
  visited: boolean[];
};

/**
 * The pages a respondent comes through with the answers given so far, in order.
 *
 * A page with a loop is visited once per chosen item, in the question's order, and not at all without one. As a page
 * is left its skip rules are tried in order; the first that holds leads to a later page or to the end, out of the
 * loop too. Rules pointing backwards, at the page itself or nowhere are passed over: the way only leads forward, so
 * the walk ends after at most every page.
 */
export function reachablePages(definition: SurveyDefinition, answers: Answers): readonly PageVisit[] {
  const index = indexOf(definition);
  if (index.fixedVisits) return index.fixedVisits;
  const walk: Walk = { index, pages: definition.pages, answers, visits: [], visited: [] };
  let position = 0;
  while (position < definition.pages.length) position = visitPage(walk, position);
  return walk.visits;
}

/** Whether every respondent comes through all pages, whatever the answers: no page repeats and none is skipped. */
export function isLinear(definition: SurveyDefinition): boolean {
  return indexOf(definition).fixedVisits !== null;
}

/** Visits a page as often as it repeats; returns the position of the next page. */
function visitPage(walk: Walk, position: number): number {
  const page = walk.pages[position];
  if (!page) return position + 1;
  for (const itemId of itemsOf(walk, page, position)) {
    walk.visits.push({ page, itemId });
    walk.visited[position] = true;
    const target = jumpTarget(walk, page, position, itemId);
    if (target !== null) return target;
  }
  return position + 1;
}

const once: readonly null[] = [null];

function itemsOf(walk: Walk, page: Page, position: number): readonly (string | null)[] {
  if (page.loop === null) return once;
  const source = walk.index.elements.get(page.loop.elementId);
  if (!source?.type.loopItems || source.pageIndex >= position || !walk.visited[source.pageIndex]) return [];
  // A question inside another loop has no single answer to take items from.
  const answer = source.page.loop === null ? walk.answers.get(source.question.elementId) : undefined;
  return source.type.loopItems(source.question, answer ?? null);
}

/** Where the page's rules lead, `pages.length` for the end; null when none applies. */
function jumpTarget(walk: Walk, page: Page, position: number, itemId: string | null): number | null {
  for (const rule of page.skipLogic) {
    const target = rule.goTo === "end" ? walk.pages.length : (walk.index.pageIndexes.get(rule.goTo) ?? -1);
    if (target > position && holds(walk, rule, position, itemId)) return target;
  }
  return null;
}

/**
 * On the repeating page itself a rule looks at the repetition that is being left; from later pages a positive
 * condition holds when one repetition satisfies it, a negative one when none satisfies its opposite.
 */
function holds(walk: Walk, { when }: SkipRule, position: number, itemId: string | null): boolean {
  const { elementId, operator, value } = when;
  const element = walk.index.elements.get(elementId);
  if (!element || element.pageIndex > position) return false;
  const items = element.pageIndex === position ? [itemId] : visitedItems(walk, element.pageIndex);
  const negative = holdsUnanswered(operator);
  const holdsFor = (item: string | null) => {
    const key = answerKey(elementId, item);
    return isAnswered(element, walk.answers, key) ? satisfies(walk.answers.get(key), operator, value) : negative;
  };
  return negative ? items.every(holdsFor) : items.some(holdsFor);
}

function visitedItems(walk: Walk, pageIndex: number): (string | null)[] {
  const page = walk.pages[pageIndex];
  return walk.visits.filter((visit) => visit.page === page).map((visit) => visit.itemId);
}

/** Every required question on a reachable page that has no answer, in the order it is met, found one by one. */
export function* missingRequired(definition: SurveyDefinition, answers: Answers): Generator<MissingAnswer, void> {
  for (const { page, itemId } of reachablePages(definition, answers)) {
    for (const element of requiredOn(definition, page)) {
      const { elementId } = element.question;
      const key = answerKey(elementId, itemId);
      if (!isAnswered(element, answers, key)) yield { key, elementId, itemId, pageId: page.pageId };
    }
  }
}

/** What `missingRequired` finds with the answers `after` and does not with `before`: taken back, or out of reach before. */
export function* newlyMissing(
  definition: SurveyDefinition,
  before: Answers,
  after: Answers,
): Generator<MissingAnswer, void> {
  const reached = new Set(reachablePages(definition, before).map(({ page, itemId }) => answerKey(page.pageId, itemId)));
  const { elements } = indexOf(definition);
  for (const missing of missingRequired(definition, after)) {
    const wasAsked = reached.has(answerKey(missing.pageId, missing.itemId));
    if (!wasAsked || isAnswered(elements.get(missing.elementId)!, before, missing.key)) yield missing;
  }
}

function isAnswered({ type }: PlacedElement, answers: Answers, key: string): boolean {
  const answer = answers.get(key);
  return answer !== undefined && !type.isEmpty(answer);
}

function requiredOn(definition: SurveyDefinition, page: Page) {
  const index = indexOf(definition);
  return index.required[index.pageIndexes.get(page.pageId) ?? -1] ?? [];
}

/**
 * True when the respondent's way ends on that page. For a page that repeats, `pageId` alone means its last
 * repetition and `pageId:itemId` a certain one.
 */
export function isLastReachable(definition: SurveyDefinition, answers: Answers, pageId: string): boolean {
  const last = reachablePages(definition, answers).at(-1);
  return last !== undefined && (pageId === last.page.pageId || pageId === `${last.page.pageId}:${last.itemId}`);
}

/** The answer keys of all elements the respondent comes to. An answer under another key is off the path. */
export function reachedKeys(definition: SurveyDefinition, answers: Answers): Set<string> {
  const keys = reachablePages(definition, answers).flatMap(({ page, itemId }) =>
    page.elements.map(({ elementId }) => answerKey(elementId, itemId)),
  );
  return new Set(keys);
}

/** True when the element is on a page the respondent reaches, in that repetition. */
export function isReachable(definition: SurveyDefinition, answers: Answers, key: string): boolean {
  return reachedKeys(definition, answers).has(key);
}
