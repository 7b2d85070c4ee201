import { answerKey } from "./answer-key.ts";
import { answerOnPath } from "./answer-on-path.ts";
import type { AnswerCondition, Condition } from "./conditions/condition.ts";
import { conditionHolds, type Scope } from "./conditions/evaluate.ts";
import type { Page, SurveyDefinition } from "./definition.ts";
import { notCarried } from "./not-carried.ts";
import {
  type DefinitionIndex,
  indexOf,
  isAlwaysShown,
  type PageVisit,
  type PlacedElement,
} from "./definition-index.ts";
import type { RespondentContext } from "./respondent-context.ts";

/** A respondent's current answers by answer key (see answer-key.ts), for example a Map, and what else is known of it. */
export type Answers = { get(key: string): unknown; readonly context?: RespondentContext };

/** What of an element is not shown: the ids of some choices and rows, or all of it. */
export type Hidden = ReadonlySet<string> | "all";

/**
 * The way of a respondent through a survey, as far as `position`: it is walked as far as somebody asks, and whether an
 * element is shown is decided when somebody asks for it.
 */
export type Walk = {
  index: DefinitionIndex;
  pages: readonly Page[];
  answers: Answers;
  /** The first page that is not decided yet. */
  position: number;
  visits: PageVisit[];
  /** Items of the visits so far, by page. Answers on skipped pages belong to another path and do not count. */
  visited: (readonly (string | null)[])[];
  /** Answers about what is not shown do not count either. The page of the element must be visited with that item. */
  hiddenOf: (element: PlacedElement, itemId: string | null) => Hidden;
  /** Answers by key as `satisfies` takes them; undefined: none. */
  compared: Map<string, unknown>;
  /** Results of comparisons about earlier pages. Later visits do not change them. */
  decided: Map<AnswerCondition, boolean | undefined>;
};

const keptWalks = new WeakMap<Answers, WeakMap<SurveyDefinition, Walk>>();

/** Keeps the way of answers that do not change any more, so that it is walked once. Returns the answers. */
export function keepWalk(answers: Answers): Answers {
  keptWalks.set(answers, new WeakMap());
  return answers;
}

/** Begins before the first page, unless these answers' walk is kept. */
export function walkOf(definition: SurveyDefinition, answers: Answers): Walk {
  const kept = keptWalks.get(answers);
  const walk = kept?.get(definition) ?? newWalk(definition, answers);
  kept?.set(definition, walk);
  return walk;
}

function newWalk(definition: SurveyDefinition, answers: Answers): Walk {
  const { pages } = definition;
  const index = indexOf(definition);
  const { fixedVisits } = index;
  const hidden = new Map<string, Hidden>();
  const walk: Walk = {
    index,
    pages,
    answers,
    position: fixedVisits ? pages.length : 0,
    visits: [...(fixedVisits ?? [])],
    visited: fixedVisits ? pages.map(() => once) : [],
    hiddenOf(element, itemId) {
      if (isAlwaysShown(element)) return nothingHidden;
      const key = answerKey(element.question.elementId, itemId);
      const known = hidden.get(key) ?? findHidden(walk, element, itemId);
      hidden.set(key, known);
      return known;
    },
    compared: new Map(),
    decided: new Map(),
  };
  return walk;
}

/** Nothing of an element is hidden. */
export const nothingHidden: ReadonlySet<string> = new Set();

/** Walks until that page is decided, all by default. Returns the walk. */
export function walkTo(walk: Walk, pageIndex = walk.pages.length - 1): Walk {
  while (walk.position <= pageIndex) walk.position = visitPage(walk, walk.position);
  return walk;
}

/** Yields the visits in order, and walks only as far as they are read. */
export function* visitsOf(walk: Walk): Generator<PageVisit, void> {
  for (let at = 0; ; at += 1) {
    while (at === walk.visits.length && walk.position < walk.pages.length) walkTo(walk, walk.position);
    if (at === walk.visits.length) return;
    yield walk.visits[at]!;
  }
}

/** Visits a page, once per chosen item of a loop. The first skip rule that holds and leads forward applies. */
function visitPage(walk: Walk, position: number): number {
  const page = walk.pages[position]!;
  if (page.showIf && !isPageShown(walk, page.showIf, position)) return position + 1;
  const items: (string | null)[] = [];
  walk.visited[position] = items;
  for (const itemId of itemsOf(walk, page, position)) {
    if (!isAnyShown(walk, position, itemId)) continue;
    walk.visits.push({ page, itemId });
    items.push(itemId);
    const target = jumpTarget(walk, page, position, itemId);
    if (target !== null) return target;
  }
  return position + 1;
}

function isPageShown(walk: Walk, showIf: Condition, position: number): boolean {
  return conditionHolds(walk, showIf, { position, itemId: null, before: walk.index.firstOrders[position]! });
}

const once: readonly null[] = [null];

function itemsOf(walk: Walk, page: Page, position: number): readonly (string | null)[] {
  if (page.loop === null) return once;
  const source = walk.index.elements.get(page.loop.elementId);
  if (!source?.type.loopItems || source.pageIndex >= position || !walk.visited[source.pageIndex]?.length) return [];
  // A question inside another loop has no single answer.
  const answer = source.page.loop === null ? answerOnPath(walk, source, null) : undefined;
  return source.type.loopItems(source.question, answer ?? null);
}

/** A page with elements of which none is shown is not visited. */
function isAnyShown(walk: Walk, position: number, itemId: string | null): boolean {
  const elements = walk.index.placed[position]!;
  const isShown = (element: PlacedElement) => walk.hiddenOf(element, itemId) !== "all";
  // Decided in order, no element waits for another that is not decided yet.
  if (walk.index.hasLongChains) elements.forEach(isShown);
  return elements.length === 0 || elements.some(isAlwaysShown) || elements.some(isShown);
}

/** Returns the elements of a visited page that are shown. */
export function shownOn(walk: Walk, { page, itemId }: PageVisit): readonly PlacedElement[] {
  const elements = walk.index.placed[walk.index.pageIndexes.get(page.pageId)!]!;
  if (elements.every(isAlwaysShown)) return elements;
  return elements.filter((element) => walk.hiddenOf(element, itemId) !== "all");
}

/** A question without any entry of a list is not asked. */
function findHidden(walk: Walk, { question, entries, pageIndex, order }: PlacedElement, itemId: string | null): Hidden {
  const { showIf } = question.logic ?? {};
  const scope: Scope = { position: pageIndex, itemId, before: order };
  if (showIf && !conditionHolds(walk, showIf, scope)) return "all";
  if (!entries) return nothingHidden;
  const ids = new Set(notCarried(walk, question, scope));
  for (const [id, condition] of entries.conditions) if (!conditionHolds(walk, condition, scope)) ids.add(id);
  return entries.lists.some((list) => list.every((id) => ids.has(id))) ? "all" : ids;
}

/** Returns the target of the first rule that holds, `pages.length` for the end; null if none holds. */
function jumpTarget(walk: Walk, page: Page, position: number, itemId: string | null): number | null {
  const scope = { position, itemId, before: walk.index.firstOrders[position + 1]! };
  for (const rule of page.skipLogic) {
    const target = rule.goTo === "end" ? walk.pages.length : (walk.index.pageIndexes.get(rule.goTo) ?? -1);
    if (target > position && conditionHolds(walk, rule.when, scope)) return target;
  }
  return null;
}
