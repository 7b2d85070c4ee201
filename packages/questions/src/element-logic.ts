import type { Condition } from "./conditions/condition.ts";
import type { ElementLogic, Question } from "./definition.ts";

export const logicFields = ["showIf", "requiredIf", "constraints", "defaultValue"] as const;

/** Puts logic in the place of a question's own. Without any, the question has no `logic`. */
export function withLogic(given: Question, logic: ElementLogic): Question {
  const { logic: _, ...question } = given;
  const { constraints, ...conditions } = logic;
  const kept = { ...conditions, ...(constraints && constraints.length > 0 && { constraints }) };
  return Object.keys(kept).length === 0 ? question : { ...question, logic: kept };
}

export function conditionsOf({ showIf, requiredIf, constraints = [] }: ElementLogic = {}): Condition[] {
  return [...(showIf ? [showIf] : []), ...(requiredIf ? [requiredIf] : []), ...constraints.map(({ must }) => must)];
}
