import { choiceIds } from "../default-value.ts";
import type { Question, SurveyDefinition } from "../definition.ts";
import { mapConditions, withLogic } from "../element-logic.ts";
import { nameKey } from "../name-key.ts";
import { type AnswerCondition, type Comparison, type Condition, namesElement } from "./condition.ts";
import { leavesOf, mapLeaves } from "./tree.ts";

export type ResolveCondition = (condition: Condition) => Condition;

/** Comparisons that a caller wrote with a name. Their violations stand at it. */
const written = new WeakSet<Comparison>();

/** The field of a comparison in which its caller gave the element. */
export const elementField = (leaf: AnswerCondition) => (written.has(leaf) ? "name" : "elementId");

/**
 * Writes ids of elements into conditions where they have names, and ids of choices where such a comparison has codes or
 * texts. Unknown names stay: `conditionViolations` refuses them.
 */
export function conditionResolver({ pages }: Pick<SurveyDefinition, "pages">): ResolveCondition {
  let named: ReadonlyMap<string, Question> | undefined;
  const find = () => {
    const elements = pages.flatMap((page) => page.elements);
    return new Map(elements.flatMap((each) => (each.name === undefined ? [] : [[nameKey(each.name), each] as const])));
  };
  const resolve = (leaf: Comparison): Comparison => {
    const question = namesElement(leaf) ? (named ??= find()).get(nameKey(leaf.name)) : undefined;
    if (!question || !namesElement(leaf)) return leaf;
    const { name: _, value, ...rest } = leaf;
    const { elementId } = question;
    const resolved = { elementId, ...rest, ...(value !== undefined && { value: choiceIds(question, value) }) };
    written.add(resolved);
    return resolved;
  };
  return (condition) => {
    const isNamed = [...leavesOf(condition)].some(({ leaf }) => namesElement(leaf));
    return isNamed ? mapLeaves(condition, resolve)! : condition;
  };
}

/** Resolves the conditions of a question, its choices and rows. One without names stays the same object. */
export function resolveConditions(question: Question, resolve: ResolveCondition): Question {
  const logic = question.logic && mapConditions(question.logic, resolve);
  return logic === question.logic ? question : withLogic(question, logic!);
}
