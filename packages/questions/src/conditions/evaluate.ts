import { answerKey } from "../answer-key.ts";
import { answerOnPath } from "../answer-on-path.ts";
import type { PlacedElement } from "../definition-index.ts";
import { perQuestion } from "../type-settings.ts";
import type { Walk } from "../walk.ts";
import type { AnswerCondition, Comparison, Condition } from "./condition.ts";
import { comparable, holdsUnanswered, satisfies } from "./operators.ts";
import { compareContext } from "./compare-context.ts";
import { asksAnswers, holds, mayHold } from "./tree.ts";

/** Where a condition stands: it asks elements whose order is lower than `before`, on its own page about its own item. */
export interface Scope {
  position: number;
  itemId: string | null;
  before: number;
}

/** Whether a condition holds. A comparison of an absent answer holds if its operator is negative. */
export function conditionHolds(walk: Walk, condition: Condition, scope: Scope): boolean {
  return holds(condition, (leaf) => {
    if (!asksAnswers(leaf)) return compareContext(walk.answers.context, leaf) ?? holdsUnanswered(leaf.operator);
    const asked = findAsked(walk, leaf, scope);
    return asked !== undefined && (compareAnswers(walk, leaf, asked, scope) ?? holdsUnanswered(leaf.operator));
  });
}

/**
 * Whether a constraint is broken: like `CHECK` of SQL, a comparison with an absent answer is unknown, and only what is
 * false breaks it. `answered` and `not_answered` are never unknown.
 */
export function isBroken(walk: Walk, must: Condition, scope: Scope): boolean {
  return (
    mayHold(must, (leaf) => {
      if (!asksAnswers(leaf)) return compareContext(walk.answers.context, leaf) ?? unlessAboutPresence(leaf);
      const asked = findAsked(walk, leaf, scope);
      return asked && (compareAnswers(walk, leaf, asked, scope) ?? unlessAboutPresence(leaf));
    }) === false
  );
}

function unlessAboutPresence({ operator }: Comparison): boolean | undefined {
  return operator === "answered" || operator === "not_answered" ? holdsUnanswered(operator) : undefined;
}

/** Undefined for what a condition must not ask. */
function findAsked({ index }: Walk, { elementId, answerOf }: AnswerCondition, { before }: Scope) {
  const asked = index.elements.get(elementId);
  const other = answerOf === undefined ? undefined : index.elements.get(answerOf);
  if (!asked || asked.order >= before || (answerOf !== undefined && (!other || other.order >= before)))
    return undefined;
  return { asked, other };
}

interface Asked {
  asked: PlacedElement;
  other: PlacedElement | undefined;
}

/** Undefined without an answer. Decides a comparison about earlier pages once for all repetitions. */
function compareAnswers(walk: Walk, leaf: AnswerCondition, of: Asked, scope: Scope): boolean | undefined {
  const { asked, other } = of;
  const isRepeated = scope.itemId !== null || asked.page.loop !== null;
  const isOwn = asked.pageIndex === scope.position || other?.pageIndex === scope.position;
  if (!isRepeated || isOwn) return compareForItems(walk, leaf, of, scope);
  if (!walk.decided.has(leaf)) walk.decided.set(leaf, compareForItems(walk, leaf, of, scope));
  return walk.decided.get(leaf);
}

/** A positive comparison holds if any repetition satisfies it, a negative one only if all do. */
function compareForItems(
  walk: Walk,
  leaf: AnswerCondition,
  { asked, other }: Asked,
  scope: Scope,
): boolean | undefined {
  const { operator } = leaf;
  const negative = holdsUnanswered(operator);
  const target = other ? singleAnswer(walk, other, scope) : targetOf(asked, leaf);
  if (other && target === undefined) return undefined;
  const items = itemsOf(walk, asked, scope);
  let isKnown = false;
  for (const item of items) {
    const answer = comparableAnswer(walk, asked, item);
    if (answer === undefined) continue;
    isKnown = true;
    if (satisfies(answer, operator, target) !== negative) return !negative;
  }
  return isKnown ? negative : undefined;
}

/** Returns the answer to the other question of a comparison: on the own page, or on a page that does not repeat. */
function singleAnswer(walk: Walk, other: PlacedElement, scope: Scope): unknown {
  const items = itemsOf(walk, other, scope);
  return items.length === 1 ? comparableAnswer(walk, other, items[0]!) : undefined;
}

function itemsOf({ visited }: Walk, { pageIndex }: PlacedElement, { position, itemId }: Scope) {
  return pageIndex === position ? [itemId] : (visited[pageIndex] ?? []);
}

function comparableAnswer(walk: Walk, element: PlacedElement, itemId: string | null): unknown {
  const { compared } = walk;
  const key = answerKey(element.question.elementId, itemId);
  const known = compared.get(key);
  if (known !== undefined || compared.has(key)) return known;
  const answer = answerOnPath(walk, element, itemId);
  const value = answer === undefined ? undefined : comparable(comparedAs(element, answer));
  compared.set(key, value);
  return value;
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
