import { joinPath, type Violation } from "@canvass/inputs";
import { questionTypeOf } from "../catalogue.ts";
import type { Question } from "../definition.ts";
import type { PlacedElement } from "../definition-index.ts";
import type { AnswerCondition, Condition } from "./condition.ts";
import { leavesOf } from "./tree.ts";

type Asked = Pick<PlacedElement, "question" | "type">;

/** `find` returns the question that a condition may ask, or why it must not. */
export function conditionViolations(
  condition: Condition,
  path: string,
  find: (elementId: string) => Asked | string,
): Violation[] {
  return [...leavesOf(condition, path)].flatMap(({ leaf, path: at }) => {
    const asked = find(leaf.elementId);
    if (typeof asked === "string") return { path: joinPath(at, "elementId"), message: asked };
    return leafViolation(asked, leaf, at) ?? [];
  });
}

function leafViolation(
  { question, type }: Asked,
  { operator, value }: AnswerCondition,
  path: string,
): Violation | undefined {
  const violation = (field: keyof AnswerCondition, message: string) => ({ path: joinPath(path, field), message });
  if (!type.answerable) return violation("elementId", `must name a question; ${type.typeName} takes no answer`);
  const isGiven = value !== undefined && value !== null;
  if (operator === "answered" || operator === "not_answered") {
    return isGiven ? violation("value", `is not taken by ${operator}`) : undefined;
  }
  const check = type.conditions[operator];
  if (!check) {
    const known = ["answered", "not_answered", ...Object.keys(type.conditions)].join(", ");
    return violation("operator", `does not fit ${type.typeName}; operators of it are ${known}`);
  }
  const message = isGiven ? check(question, value) : "is required";
  return message === null ? undefined : violation("value", message);
}

/** Whether what a condition compares with answers to that question fits the question. */
export function fitsQuestion(condition: Condition, question: Question): boolean {
  const asked = { question, type: questionTypeOf(question) };
  return [...leavesOf(condition)].every(
    ({ leaf }) => leaf.elementId !== question.elementId || leafViolation(asked, leaf, "") === undefined,
  );
}

export function asksQuestion(condition: Condition, elementId: string): boolean {
  return [...leavesOf(condition)].some(({ leaf }) => leaf.elementId === elementId);
}
