import { answerKey, parseAnswerKey } from "./answer-key.ts";
import { answerOnPath } from "./answer-on-path.ts";
import { conditionHolds, isBroken, type Scope } from "./conditions/evaluate.ts";
import type { Condition } from "./conditions/condition.ts";
import { askedElements } from "./conditions/tree.ts";
import type { SurveyDefinition } from "./definition.ts";
import { indexOf, type PageVisit, type PlacedElement, type Visit } from "./definition-index.ts";
import { type Answers, type Hidden, shownOn, visitsOf, type Walk, walkOf, walkTo } from "./walk.ts";

export { keepWalk, type Answers } from "./walk.ts";

export type MissingAnswer = { key: string; elementId: string; itemId: string | null; pageId: string };

/** Returns the visits in order, each with the elements that it shows. */
export function reachablePages(definition: SurveyDefinition, answers: Answers): readonly Visit[] {
  const { fixedVisits } = indexOf(definition);
  if (fixedVisits) return fixedVisits;
  const walk = walkTo(walkOf(definition, answers));
  return walk.visits.map((visit) => ({ ...visit, shown: shownOn(walk, visit) }));
}

/** Returns a function that tells whether a condition holds after the last page. Answers off the path do not count. */
export function conditionEvaluator(definition: SurveyDefinition, answers: Answers): (condition: Condition) => boolean {
  const walk = walkTo(walkOf(definition, answers));
  const behindAll: Scope = { position: walk.pages.length, itemId: null, before: Number.POSITIVE_INFINITY };
  return (condition) => conditionHolds(walk, condition, behindAll);
}

/**
 * Returns the index of the first page that may come after `visit`, the number of pages after the last; undefined if
 * `visit` is not reached.
 */
export function nextPageIndex(definition: SurveyDefinition, answers: Answers, visit: string): number | undefined {
  const { visits } = walkTo(walkOf(definition, answers));
  const at = visits.findIndex(
    ({ page: { pageId }, itemId }) => visit === pageId || visit === answerKey(pageId, itemId),
  );
  if (at < 0) return undefined;
  const { pageIndexes, firstOfBlock } = indexOf(definition);
  const { block } = visits[at]!.page;
  // Any other page of a block may still come.
  if (block !== undefined) return firstOfBlock.get(block);
  const next = visits[at + 1];
  return next ? pageIndexes.get(next.page.pageId) : definition.pages.length;
}

/** True if all respondents visit every page once and see all of it, whatever their answers. */
export function isLinear(definition: SurveyDefinition): boolean {
  return indexOf(definition).fixedVisits !== null;
}

/** True if what is shown, required or valid depends on other answers. */
export function dependsOnAnswers(definition: SurveyDefinition): boolean {
  return !isLinear(definition) || indexOf(definition).judgesAnswers;
}

export function hasConstraints(definition: SurveyDefinition): boolean {
  return indexOf(definition).constrained.some(({ length }) => length > 0);
}

/** Yields each required question without an answer that is shown, in the order of visits. */
export function* missingRequired(definition: SurveyDefinition, answers: Answers): Generator<MissingAnswer, void> {
  const walk = walkOf(definition, answers);
  const { pageIndexes, required } = walk.index;
  for (const { page, itemId } of visitsOf(walk)) {
    for (const element of required[pageIndexes.get(page.pageId)!]!) {
      const { elementId } = element.question;
      const key = answerKey(elementId, itemId);
      if (isAnswered(walk, element, itemId) || !isAsked(walk, element, itemId)) continue;
      yield { key, elementId, itemId, pageId: page.pageId };
    }
  }
}

/** Yields required answers that are missing in `after` but were not in `before`: withdrawn or newly asked. */
export function* newlyMissing(
  definition: SurveyDefinition,
  before: Answers,
  after: Answers,
): Generator<MissingAnswer, void> {
  const known = walkTo(walkOf(definition, before));
  const { elements } = known.index;
  const reached = new Set(known.visits.map(({ page, itemId }) => answerKey(page.pageId, itemId)));
  for (const missing of missingRequired(definition, after)) {
    const { elementId, itemId, pageId } = missing;
    const element = elements.get(elementId)!;
    const wasAsked = reached.has(answerKey(pageId, itemId)) && isAsked(known, element, itemId);
    if (!wasAsked || isAnswered(known, element, itemId)) yield missing;
  }
}

const isAnswered = (walk: Walk, element: PlacedElement, itemId: string | null): boolean =>
  answerOnPath(walk, element, itemId) !== undefined;

/** Whether a respondent must answer an element of a visited page. */
function isAsked(walk: Walk, element: PlacedElement, itemId: string | null): boolean {
  const { responseValidation, logic } = element.question;
  if (walk.hiddenOf(element, itemId) === "all") return false;
  return (
    responseValidation.required ||
    (logic?.requiredIf !== undefined && conditionHolds(walk, logic.requiredIf, scopeOf(element, itemId)))
  );
}

const scopeOf = ({ pageIndex, order }: PlacedElement, itemId: string | null): Scope => ({
  position: pageIndex,
  itemId,
  before: order,
});

/** Returns the keys of all questions that must be answered, whether they are or not. */
export function requiredKeys(definition: SurveyDefinition, answers: Answers): Set<string> {
  const walk = walkTo(walkOf(definition, answers));
  const { pageIndexes, required } = walk.index;
  const keys = walk.visits.flatMap(({ page, itemId }) =>
    required[pageIndexes.get(page.pageId)!]!.filter((element) => isAsked(walk, element, itemId)).map(({ question }) =>
      answerKey(question.elementId, itemId),
    ),
  );
  return new Set(keys);
}

/** A constraint that answers break, of a question that is shown. `asks`: ids of the elements that it asks. */
export type BrokenConstraint = MissingAnswer & {
  message: string;
  /** Its position in the list of its question. */
  at: number;
  asks: ReadonlySet<string>;
};

/**
 * Yields broken constraints in the order of visits, of all visits or of those in `only` (`pageId`, or `pageId:itemId`). An
 * absent answer breaks none, unless a constraint asks for it.
 */
export function* brokenConstraints(
  definition: SurveyDefinition,
  answers: Answers,
  only?: ReadonlySet<string>,
): Generator<BrokenConstraint, void> {
  if (!hasConstraints(definition)) return;
  const walk = walkOf(definition, answers);
  const { pageIndexes, constrained } = walk.index;
  let passed = 0;
  for (const { page, itemId } of visitsOf(walk)) {
    if (only && !only.has(answerKey(page.pageId, itemId))) continue;
    passed += 1;
    for (const element of constrained[pageIndexes.get(page.pageId)!]!) {
      const { elementId, logic } = element.question;
      const key = answerKey(elementId, itemId);
      if (walk.hiddenOf(element, itemId) === "all") continue;
      const scope = { ...scopeOf(element, itemId), before: element.order + 1 };
      for (const [at, { must, message }] of logic!.constraints!.entries()) {
        if (isBroken(walk, must, scope)) {
          yield { key, elementId, itemId, pageId: page.pageId, message, at, asks: askedElements(must) };
        }
      }
    }
    if (passed === only?.size) return;
  }
}

/** True if the path ends on that page. No page of a block is the last of it. `pageId:itemId` asks for one repetition. */
export function isLastReachable(definition: SurveyDefinition, answers: Answers, pageId: string): boolean {
  const { pageIndexes } = indexOf(definition);
  const pageIndex = pageIndexes.get(parseAnswerKey(pageId).elementId) ?? -1;
  let last: PageVisit | undefined;
  for (const visit of visitsOf(walkOf(definition, answers))) {
    if (pageIndexes.get(visit.page.pageId)! > pageIndex) return false;
    last = visit;
  }
  if (last === undefined || last.page.block !== undefined) return false;
  return pageId === last.page.pageId || pageId === answerKey(last.page.pageId, last.itemId);
}

/** Returns a function that tells whether the element of an answer key is shown: there may be millions of keys. */
export function shownKeyPredicate(definition: SurveyDefinition, answers: Answers): (key: string) => boolean {
  const walk = walkOf(definition, answers);
  return (key) => {
    const { elementId, itemId } = parseAnswerKey(key);
    const element = walk.index.elements.get(elementId);
    if (!element) return false;
    return hiddenWhenVisited(walk, element, itemId) !== "all";
  };
}

/**
 * Returns a function from an answer key to the ids of the choices and rows of its element that are not shown; it returns
 * undefined if there are none, or if the element is not shown.
 */
export function hiddenEntriesLookup(
  definition: SurveyDefinition,
  answers: Answers,
): (key: string) => ReadonlySet<string> | undefined {
  const walk = walkOf(definition, answers);
  return (key) => {
    const { elementId, itemId } = parseAnswerKey(key);
    const element = walk.index.elements.get(elementId);
    const hidden = element?.entries ? hiddenWhenVisited(walk, element, itemId) : "all";
    return hidden === "all" || hidden.size === 0 ? undefined : hidden;
  };
}

function hiddenWhenVisited(walk: Walk, element: PlacedElement, itemId: string | null): Hidden {
  const isVisited = walkTo(walk, element.pageIndex).visited[element.pageIndex]?.includes(itemId);
  return isVisited ? walk.hiddenOf(element, itemId) : "all";
}

export function isReachable(definition: SurveyDefinition, answers: Answers, key: string): boolean {
  return shownKeyPredicate(definition, answers)(key);
}
