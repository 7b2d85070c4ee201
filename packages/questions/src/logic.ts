import { answerKey } from "./answer-key.ts";
import type { AnswerCondition, Condition } from "./conditions/condition.ts";
import { comparable, holdsUnanswered, satisfies } from "./conditions/operators.ts";
import { holds } from "./conditions/tree.ts";
import type { Page, SurveyDefinition } from "./definition.ts";
import { type DefinitionIndex, indexOf, type PageVisit, type PlacedElement } from "./definition-index.ts";
import { perQuestion } from "./type-settings.ts";

/** A respondent's current answers by answer key (see answer-key.ts), for example a Map. */
export type Answers = { get(key: string): unknown };

export type MissingAnswer = { key: string; elementId: string; itemId: string | null; pageId: string };

type Walk = {
  index: DefinitionIndex;
  pages: readonly Page[];
  answers: Answers;
  visits: PageVisit[];
  /** Items of the visits so far, by page. Answers on skipped pages belong to another path and do not count. */
  visited: (string | null)[][];
  /** Answers by key as `satisfies` takes them; undefined: none. */
  compared: Map<string, unknown>;
  /** Whether comparisons about earlier pages hold. Later visits do not change that. */
  decided: Map<AnswerCondition, boolean>;
};

/** Returns visits in order: one per chosen item of a loop. The first skip rule that holds and leads forward applies. */
export function reachablePages(definition: SurveyDefinition, answers: Answers): readonly PageVisit[] {
  const index = indexOf(definition);
  return index.fixedVisits ?? walkPages(definition, answers).visits;
}

function walkPages(definition: SurveyDefinition, answers: Answers): Walk {
  const index = indexOf(definition);
  const { pages } = definition;
  const walk: Walk = { index, pages, answers, visits: [], visited: [], compared: new Map(), decided: new Map() };
  let position = 0;
  while (position < pages.length) position = visitPage(walk, position);
  return walk;
}

/** Returns whether a condition holds behind the last page. Answers off the path do not count. */
export function conditionsOnPath(definition: SurveyDefinition, answers: Answers): (condition: Condition) => boolean {
  const walk = walkPages(definition, answers);
  return (condition) => holds(condition, (leaf) => leafHolds(walk, leaf, walk.pages.length, null));
}

/** Returns the index of the page after `visit`, the number of pages after the last; undefined if `visit` is not reached. */
export function nextPageIndex(definition: SurveyDefinition, answers: Answers, visit: string): number | undefined {
  const visits = reachablePages(definition, answers);
  const at = visits.findIndex(
    ({ page: { pageId }, itemId }) => visit === pageId || visit === answerKey(pageId, itemId),
  );
  if (at < 0) return undefined;
  const next = visits[at + 1];
  return next ? indexOf(definition).pageIndexes.get(next.page.pageId) : definition.pages.length;
}

/** True if all respondents visit every page once, whatever their answers. */
export function isLinear(definition: SurveyDefinition): boolean {
  return indexOf(definition).fixedVisits !== null;
}

function visitPage(walk: Walk, position: number): number {
  const page = walk.pages[position];
  if (!page) return position + 1;
  for (const itemId of itemsOf(walk, page, position)) {
    walk.visits.push({ page, itemId });
    (walk.visited[position] ??= []).push(itemId);
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
    if (target > position && holds(rule.when, (leaf) => leafHolds(walk, leaf, position, itemId))) return target;
  }
  return null;
}

/** Decides a comparison about an earlier page once, and one about this page for each of its visits. */
function leafHolds(walk: Walk, leaf: AnswerCondition, position: number, itemId: string | null): boolean {
  const element = walk.index.elements.get(leaf.elementId);
  if (!element || element.pageIndex > position) return false;
  if (element.pageIndex === position) return holdsForItems(walk, leaf, element, [itemId]);
  const known = walk.decided.get(leaf);
  if (known !== undefined) return known;
  const decided = holdsForItems(walk, leaf, element, walk.visited[element.pageIndex] ?? []);
  walk.decided.set(leaf, decided);
  return decided;
}

/** A positive comparison holds if any repetition satisfies it, a negative one only if all do. */
function holdsForItems(
  walk: Walk,
  leaf: AnswerCondition,
  element: PlacedElement,
  items: readonly (string | null)[],
): boolean {
  const { elementId, operator } = leaf;
  const negative = holdsUnanswered(operator);
  const target = targetOf(element, leaf);
  const holdsFor = (item: string | null) => {
    const answer = comparableAnswer(walk, element, answerKey(elementId, item));
    return answer === undefined ? negative : satisfies(answer, operator, target);
  };
  return negative ? items.every(holdsFor) : items.some(holdsFor);
}

function comparableAnswer({ answers, compared }: Walk, element: PlacedElement, key: string): unknown {
  if (!compared.has(key)) {
    compared.set(
      key,
      isAnswered(element, answers, key) ? comparable(comparedAs(element, answers.get(key))) : undefined,
    );
  }
  return compared.get(key);
}

const targetsOf = perQuestion(() => new WeakMap<AnswerCondition, unknown>());

/** Cached, because a list may be long. */
function targetOf(element: PlacedElement, leaf: AnswerCondition): unknown {
  if (!element.type.comparedAs) return leaf.value;
  const targets = targetsOf(element.question);
  if (!targets.has(leaf)) {
    const { value } = leaf;
    const list = Array.isArray(value) && value.map((item: unknown) => comparedAs(element, item));
    targets.set(leaf, list || comparedAs(element, value));
  }
  return targets.get(leaf);
}

const comparedAs = ({ type, question }: PlacedElement, value: unknown): unknown =>
  type.comparedAs ? type.comparedAs(question, value) : value;

/** Yields each required question without an answer on a reachable page, in the order of visits. */
export function* missingRequired(definition: SurveyDefinition, answers: Answers): Generator<MissingAnswer, void> {
  for (const { page, itemId } of reachablePages(definition, answers)) {
    for (const element of requiredOn(definition, page)) {
      const { elementId } = element.question;
      const key = answerKey(elementId, itemId);
      if (!isAnswered(element, answers, key)) yield { key, elementId, itemId, pageId: page.pageId };
    }
  }
}

/** Yields required answers that are missing in `after` but were not in `before`: withdrawn or newly reached. */
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

/** True if the path ends on that page. `pageId:itemId` is a certain repetition of a repeating page. */
export function isLastReachable(definition: SurveyDefinition, answers: Answers, pageId: string): boolean {
  const last = reachablePages(definition, answers).at(-1);
  return last !== undefined && (pageId === last.page.pageId || pageId === `${last.page.pageId}:${last.itemId}`);
}

export function reachedKeys(definition: SurveyDefinition, answers: Answers): Set<string> {
  const keys = reachablePages(definition, answers).flatMap(({ page, itemId }) =>
    page.elements.map(({ elementId }) => answerKey(elementId, itemId)),
  );
  return new Set(keys);
}

export function isReachable(definition: SurveyDefinition, answers: Answers, key: string): boolean {
  return reachedKeys(definition, answers).has(key);
}
