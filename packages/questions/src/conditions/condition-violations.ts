import { joinPath, type Violation } from "@canvass/inputs";
import { questionTypeOf } from "../catalogue.ts";
import type { Question } from "../definition.ts";
import type { DefinitionIndex, PlacedElement } from "../definition-index.ts";
import { type AnswerCondition, type Condition, namesElement, type Operator } from "./condition.ts";
import { contextViolation } from "./context-violation.ts";
import { elementField } from "./named-conditions.ts";
import { askedElements, asksAnswers, leavesOf } from "./tree.ts";

type Asked = Pick<PlacedElement, "question" | "type">;

/** `find` returns the question that a condition may depend on, or the violation if it may not. */
export function conditionViolations(
  condition: Condition,
  path: string,
  fields: DefinitionIndex["fields"],
  find: (elementId: string) => Asked | string,
): Violation[] {
  return [...leavesOf(condition, path)].flatMap(({ leaf, path: at }) => {
    if (!asksAnswers(leaf)) return contextViolation(leaf, at, fields) ?? [];
    if (namesElement(leaf))
      return { path: joinPath(at, "name"), message: "must be the name of an element of the survey" };
    const asked = find(leaf.elementId);
    if (typeof asked === "string") return { path: joinPath(at, elementField(leaf)), message: asked };
    const other = leaf.answerOf === undefined ? undefined : find(leaf.answerOf);
    if (typeof other === "string") return { path: joinPath(at, "answerOf"), message: other };
    return leafViolation(asked, leaf, at, other) ?? [];
  });
}

function leafViolation(
  { question, type }: Asked,
  leaf: AnswerCondition,
  path: string,
  other?: Asked,
): Violation | undefined {
  const { operator, value, answerOf } = leaf;
  const violation = (field: keyof AnswerCondition | "name", message: string) => ({
    path: joinPath(path, field),
    message,
  });
  if (!type.answerable) return violation(elementField(leaf), `must name a question; ${type.typeName} takes no answer`);
  const isGiven = value !== undefined && value !== null;
  if (operator === "answered" || operator === "not_answered") {
    if (answerOf !== undefined) return violation("answerOf", `is not supported by ${operator}`);
    return isGiven ? violation("value", `is not supported by ${operator}`) : undefined;
  }
  const check = type.conditions[operator];
  if (!check) {
    const known = ["answered", "not_answered", ...Object.keys(type.conditions)].join(", ");
    return violation("operator", `does not fit ${type.typeName}; operators of it are ${known}`);
  }
  if (answerOf !== undefined) {
    if (isGiven) return violation("value", "is given twice, see answerOf");
    const fits = !other || comparesWith({ question, type }, other, operator);
    return fits ? undefined : violation("answerOf", `must name a question whose answer ${operator} takes as its value`);
  }
  const message = isGiven
    ? (check(question, value) ?? rangeMessage({ question, type }, operator, value))
    : "is required";
  return message === null ? undefined : violation("value", message);
}

const ofSeveral: readonly Operator[] = ["in", "not_in", "between"];

/**
 * Answers compare if the same values are valid for both: numbers, texts, or dates of one mode, but not entries of
 * lists.
 */
function comparesWith({ question, type }: Asked, other: Asked, operator: Operator): boolean {
  const isOfLists = Object.keys(type.lists).length > 0 || Object.keys(other.type.lists).length > 0;
  return (
    !isOfLists &&
    !ofSeveral.includes(operator) &&
    type.conditions[operator] === other.type.conditions[operator] &&
    question.typeSettings["mode"] === other.question.typeSettings["mode"]
  );
}

/** A range whose ends are the wrong way round never holds. */
function rangeMessage({ question, type }: Asked, operator: Operator, value: unknown): string | null {
  if (operator !== "between") return null;
  const [low = 0, high = 0] = (value as unknown[]).map((end) => type.comparedAs?.(question, end) ?? end) as number[];
  return low > high ? "must be a list of the lowest and the highest, in this order" : null;
}

/** Whether the value of a condition fits the question that it depends on. */
export function fitsQuestion(condition: Condition, question: Question): boolean {
  const asked = { question, type: questionTypeOf(question) };
  return [...leavesOf(condition)].every(
    ({ leaf }) =>
      !asksAnswers(leaf) || leaf.elementId !== question.elementId || leafViolation(asked, leaf, "") === undefined,
  );
}

export function asksQuestion(condition: Condition, elementId: string): boolean {
  return askedElements(condition).has(elementId);
}
