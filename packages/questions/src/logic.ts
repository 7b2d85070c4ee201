import { answerKey } from "./answer-key.ts";
import type { Page, SkipRule, SurveyDefinition } from "./definition.ts";
import { type DefinitionIndex, indexOf, type PageVisit, type PlacedElement } from "./definition-index.ts";
import { holdsUnanswered, satisfies } from "./skip-condition.ts";

/** A respondent's current answers by answer key (see answer-key.ts), for example a Map. */
export type Answers = { get(key: string): unknown };

/** A reached required question without an answer. `key` is its answer key. */
export type MissingAnswer = { key: string; elementId: string; itemId: string | null; pageId: string };

type Walk = {
  index: DefinitionIndex;
  pages: readonly Page[];
  answers: Answers;
  visits: PageVisit[];
  /** Pages visited so far. Answers on skipped pages are leftovers of another path and do not count. */
  visited: boolean[];
};

/**
 * Returns the pages that a respondent visits with the answers given so far, in order. A page with a loop is visited
 * once per chosen item, in the question's order, so not at all without items. On leaving a page, its skip rules are
 * tried in order; the first that holds jumps to a later page or to the end, out of the loop, too. Rules that lead
 * backwards, to the page itself or nowhere are ignored, so the walk ends after at most every page.
 */
export function reachablePages(definition: SurveyDefinition, answers: Answers): readonly PageVisit[] {
  const index = indexOf(definition);
  if (index.fixedVisits) return index.fixedVisits;
  const walk: Walk = { index, pages: definition.pages, answers, visits: [], visited: [] };
  let position = 0;
  while (position < definition.pages.length) position = visitPage(walk, position);
  return walk.visits;
}

/** True if all respondents visit every page, whatever their answers: no page repeats and none is skipped. */
export function isLinear(definition: SurveyDefinition): boolean {
  return indexOf(definition).fixedVisits !== null;
}

/** Visits a page once per loop item; returns the position of the next page. */
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
  // A question inside another loop has no single answer.
  const answer = source.page.loop === null ? walk.answers.get(source.question.elementId) : undefined;
  return source.type.loopItems(source.question, answer ?? null);
}

/** Returns the target of the first rule that holds, `pages.length` for the end; null if none holds. */
function jumpTarget(walk: Walk, page: Page, position: number, itemId: string | null): number | null {
  for (const rule of page.skipLogic) {
    const target = rule.goTo === "end" ? walk.pages.length : (walk.index.pageIndexes.get(rule.goTo) ?? -1);
    if (target > position && holds(walk, rule, position, itemId)) return target;
  }
  return null;
}

/**
 * On the repeating page itself, a rule applies to the current repetition. From later pages, a positive condition holds
 * if any repetition satisfies it, a negative one only if all do.
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

/** Yields each required question on a reachable page without an answer, in visiting order. */
export function* missingRequired(definition: SurveyDefinition, answers: Answers): Generator<MissingAnswer, void> {
  for (const { page, itemId } of reachablePages(definition, answers)) {
    for (const element of requiredOn(definition, page)) {
      const { elementId } = element.question;
      const key = answerKey(elementId, itemId);
      if (!isAnswered(element, answers, key)) yield { key, elementId, itemId, pageId: page.pageId };
    }
  }
}

/** Yields what is missing with `after` but was not with `before`: withdrawn answers, and newly reached questions. */
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
 * True if the respondent's path ends on that page. On a repeating page, `pageId` means the last repetition and
 * `pageId:itemId` a certain one.
 */
export function isLastReachable(definition: SurveyDefinition, answers: Answers, pageId: string): boolean {
  const last = reachablePages(definition, answers).at(-1);
  return last !== undefined && (pageId === last.page.pageId || pageId === `${last.page.pageId}:${last.itemId}`);
}

/** Returns the answer keys of all elements on the respondent's path. Answers with other keys are off the path. */
export function reachedKeys(definition: SurveyDefinition, answers: Answers): Set<string> {
  const keys = reachablePages(definition, answers).flatMap(({ page, itemId }) =>
    page.elements.map(({ elementId }) => answerKey(elementId, itemId)),
  );
  return new Set(keys);
}

export function isReachable(definition: SurveyDefinition, answers: Answers, key: string): boolean {
  return reachedKeys(definition, answers).has(key);
}
