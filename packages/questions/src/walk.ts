import { answerKey } from "./answer-key.ts";
import { answerOnPath } from "./answer-on-path.ts";
import type { AnswerCondition, Condition } from "./conditions/condition.ts";
import { conditionHolds, type Scope } from "./conditions/evaluate.ts";
import type { Page, SurveyDefinition } from "./definition.ts";
import { notCarried } from "./not-carried.ts";
import { type DefinitionIndex, indexOf, type PlacedElement, type Visit } from "./definition-index.ts";
import type { RespondentContext } from "./respondent-context.ts";

/** A respondent's current answers by answer key (see answer-key.ts), for example a Map, and what else is known of it. */
export type Answers = { get(key: string): unknown; readonly context?: RespondentContext };

/** The way of a respondent through a survey, as far as `position`: it is walked as far as somebody asks. */
export type Walk = {
  index: DefinitionIndex;
  pages: readonly Page[];
  answers: Answers;
  /** The first page that is not decided yet. */
  position: number;
  visits: Visit[];
  /** Items of the visits so far, by page. Answers on skipped pages belong to another path and do not count. */
  visited: (readonly (string | null)[])[];
  /** Keys of elements of visited pages that are not shown. Their answers do not count either. */
  hidden: Set<string>;
  /** By answer key: ids of choices and rows that are not shown, of elements that are. */
  hiddenEntries: Map<string, ReadonlySet<string>>;
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
  return {
    index,
    pages,
    answers,
    position: fixedVisits ? pages.length : 0,
    visits: [...(fixedVisits ?? [])],
    visited: fixedVisits ? pages.map(() => once) : [],
    hidden: new Set(),
    hiddenEntries: new Map(),
    compared: new Map(),
    decided: new Map(),
  };
}

/** Walks until that page is decided, all by default. Returns the walk. */
export function walkTo(walk: Walk, pageIndex = walk.pages.length - 1): Walk {
  while (walk.position <= pageIndex) walk.position = visitPage(walk, walk.position);
  return walk;
}

/** Yields the visits in order, and walks only as far as they are read. */
export function* visitsOf(walk: Walk): Generator<Visit, void> {
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
    const shown = shownElements(walk, position, itemId);
    if (shown.length === 0 && page.elements.length > 0) continue;
    walk.visits.push({ page, itemId, shown });
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
  const answer = source.page.loop === null ? answerOnPath(walk, source, source.question.elementId) : undefined;
  return source.type.loopItems(source.question, answer ?? null);
}

function shownElements(walk: Walk, position: number, itemId: string | null): readonly PlacedElement[] {
  const placed = walk.index.placed[position]!;
  if (!placed.some(({ question, entries }) => question.logic?.showIf || entries)) return placed;
  return placed.filter((element) => {
    const { question, order } = element;
    const { showIf } = question.logic ?? {};
    const scope = { position, itemId, before: order };
    const isShown = (!showIf || conditionHolds(walk, showIf, scope)) && hasShownEntries(walk, element, scope);
    if (!isShown) walk.hidden.add(answerKey(question.elementId, itemId));
    return isShown;
  });
}

/** Notes the entries that are not shown. A question without any entry of a list is not asked. */
function hasShownEntries(walk: Walk, { question, entries }: PlacedElement, scope: Scope): boolean {
  if (!entries) return true;
  const hidden = entries.conditions.filter(([, showIf]) => !conditionHolds(walk, showIf, scope)).map(([id]) => id);
  const ids = new Set([...hidden, ...notCarried(walk, question, scope)]);
  if (entries.lists.some((list) => list.every((id) => ids.has(id)))) return false;
  if (ids.size === 0) return true;
  walk.hiddenEntries.set(answerKey(question.elementId, scope.itemId), ids);
  return true;
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
