import type { Page, Question, SkipRule, SurveyDefinition } from "../src/definition.ts";
import type { AnswerCondition, Operator } from "../src/conditions/condition.ts";
import { sampleQuestion } from "./sample-question.ts";

/** A question with readable ids: `elementId` and `q-<elementId>`. */
export function ask(elementId: string, type = "short_text", fields: Record<string, unknown> = {}): Question {
  return { ...sampleQuestion(type, fields), elementId, questionId: `q-${elementId}` };
}

export function page(pageId: string, elements: Question[], rest: Partial<Page> = {}): Page {
  return { pageId, title: null, loop: null, skipLogic: [], elements, ...rest };
}

export function rule(
  elementId: string,
  operator: Operator,
  value: unknown,
  goTo: string,
): SkipRule & { when: AnswerCondition } {
  return { when: { elementId, operator, ...(value !== undefined && { value }) }, goTo };
}

/** Page ids with the element ids on them: `p1: a b`. */
export function outline({ pages }: SurveyDefinition): string[] {
  return pages.map(({ pageId, elements }) => [`${pageId}:`, ...elements.map(({ elementId }) => elementId)].join(" "));
}

export function linesOf(violations: readonly { path: string; message: string }[]): string[] {
  return violations.map(({ path, message }) => `${path} ${message}`);
}
