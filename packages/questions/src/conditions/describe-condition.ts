import { choicesAndOther } from "../chosen-choices.ts";
import type { Question, SurveyDefinition } from "../definition.ts";
import { findElement } from "../definition-index.ts";
import { withPlainText } from "../text-format.ts";
import type { Comparison, Condition, Operator } from "./condition.ts";
import { asksAnswers } from "./tree.ts";

const words: Record<Operator, string> = {
  answered: "is answered",
  not_answered: "is not answered",
  equals: "is",
  not_equals: "is not",
  in: "is one of",
  not_in: "is none of",
  contains: "contains",
  not_contains: "does not contain",
  starts_with: "starts with",
  greater_than: "is above",
  less_than: "is below",
  at_least: "is at least",
  at_most: "is at most",
  between: "is between",
};

const longestText = 80;

/** Returns a condition in English, with the texts of questions and choices, for readers of results. */
export function describeCondition(definition: SurveyDefinition, condition: Condition): string {
  const describe = (part: Condition): string => describeCondition(definition, part);
  const joined = (parts: readonly Condition[], by: string) =>
    parts.map((part) => (isGroup(part) && parts.length > 1 ? `(${describe(part)})` : describe(part))).join(` ${by} `);
  if ("all" in condition) return joined(condition.all, "and");
  if ("any" in condition) return joined(condition.any, "or");
  if ("not" in condition) return `not (${describe(condition.not)})`;
  return describeLeaf(definition, condition);
}

const isGroup = (condition: Condition): boolean => "all" in condition || "any" in condition;

function describeLeaf(definition: SurveyDefinition, leaf: Comparison): string {
  const { operator, value } = leaf;
  const question = asksAnswers(leaf) ? findElement(definition, leaf.elementId)?.question : undefined;
  const other = asksAnswers(leaf) && leaf.answerOf !== undefined ? textOf(definition, leaf.answerOf) : undefined;
  const target = other ?? (value === undefined || value === null ? "" : targetText(question, operator, value));
  return `${subjectOf(definition, leaf)} ${words[operator]} ${target}`.trimEnd();
}

function subjectOf(definition: SurveyDefinition, leaf: Comparison): string {
  if ("language" in leaf) return "the language";
  return "field" in leaf ? `the field ${leaf.field}` : textOf(definition, leaf.elementId);
}

function textOf(definition: SurveyDefinition, elementId: string): string {
  const question = findElement(definition, elementId)?.question;
  const text = (question && withPlainText(question).text) || question?.name || elementId;
  return `“${cut(text)}”`;
}

function targetText(question: Question | undefined, operator: Operator, value: unknown): string {
  const entries = question ? entriesOf(question) : new Map<string, string>();
  const one = (each: unknown) =>
    typeof each === "string" ? `“${cut(entries.get(each) ?? each)}”` : JSON.stringify(each);
  return Array.isArray(value) ? value.map(one).join(operator === "between" ? " and " : ", ") : one(value);
}

function entriesOf(question: Question): Map<string, string> {
  const { columns = [] } = question;
  const entries = [...choicesAndOther(question), ...columns, ...columns.flatMap(({ options = [] }) => options)];
  return new Map(entries.map(({ id, text }) => [id, text || id]));
}

function cut(text: string): string {
  // Cut first, since texts can be long. A character has at most two UTF-16 units.
  const characters = Array.from(text.slice(0, 2 * longestText + 2));
  return characters.length > longestText ? `${characters.slice(0, longestText - 1).join("")}…` : text;
}
