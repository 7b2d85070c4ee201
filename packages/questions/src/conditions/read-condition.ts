import type { Violation } from "@canvass/inputs";
import type { Question, SurveyDefinition } from "../definition.ts";
import { findElement, indexOf } from "../definition-index.ts";
import { checkCondition } from "./check-condition.ts";
import { conditionInput } from "./condition-input.ts";
import type { Condition } from "./condition.ts";
import { conditionViolations } from "./condition-violations.ts";
import { conditionResolver } from "./named-conditions.ts";

/**
 * Reads a condition about answers that were given to a definition, as callers write it: any JSON. It may name entries
 * that were retired since. Returns it with ids, or all violations at their dotted paths below `path`.
 */
export function readCondition(
  definition: SurveyDefinition,
  given: unknown,
  path: string,
): { condition: Condition; violations?: undefined } | { violations: Violation[] } {
  const violations: Violation[] = [];
  checkCondition(conditionInput, given, path, violations);
  if (violations.length > 0) return { violations };
  const condition = conditionResolver(definition)(given as Condition);
  const broken = conditionViolations(condition, path, indexOf(definition).fields, (elementId) => {
    const element = findElement(definition, elementId);
    return element
      ? { ...element, question: withoutRetirement(element.question) }
      : "must name a question of the survey";
  });
  return broken.length > 0 ? { violations: broken } : { condition };
}

function withoutRetirement(question: Question): Question {
  const { choices, columns } = question;
  const inUse = <Entry extends { retired: boolean }>(entry: Entry): Entry => ({ ...entry, retired: false });
  return {
    ...question,
    ...(choices && { choices: choices.map(inUse) }),
    ...(columns && {
      columns: columns.map(({ options, ...column }) => ({
        ...inUse(column),
        ...(options && { options: options.map(inUse) }),
      })),
    }),
  };
}
