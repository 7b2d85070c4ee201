import type { Condition } from "./conditions/condition.ts";
import { numberConstraints } from "./constraint-numbers.ts";
import type { ElementLogic, Question } from "./definition.ts";

/** Fields of an element. Conditions of its choices and rows stand with these. */
export const logicFields = ["showIf", "requiredIf", "constraints", "defaultValue", "choicesFrom"] as const;

/** Replaces the logic of a question. Without any logic, the question has no `logic`. */
export function withLogic(given: Question, logic: ElementLogic): Question {
  const { logic: _, ...question } = given;
  const { constraints, entries, ...conditions } = logic;
  const kept = {
    ...conditions,
    ...(constraints && constraints.length > 0 && { constraints }),
    ...(entries && Object.keys(entries).length > 0 && { entries }),
  };
  return Object.keys(kept).length === 0 ? question : { ...question, logic: kept };
}

/** Numbers the constraints of a question; those that continue one of `former` keep its number (`numberConstraints`). */
export function withConstraintNumbers(question: Question, former?: Question): Question {
  const { constraints } = question.logic ?? {};
  if (!constraints) return question;
  return {
    ...question,
    logic: { ...question.logic, constraints: numberConstraints(constraints, former?.logic?.constraints) },
  };
}

/** Replaces every condition. Logic whose conditions all stay is the same object. */
export function mapConditions(logic: ElementLogic, map: (condition: Condition) => Condition): ElementLogic {
  const { showIf, requiredIf, constraints, entries } = logic;
  if (conditionsOf(logic).every((condition) => map(condition) === condition)) return logic;
  const mapped = Object.entries(entries ?? {}).map(([id, condition]) => [id, map(condition)] as const);
  return {
    ...logic,
    ...(showIf && { showIf: map(showIf) }),
    ...(requiredIf && { requiredIf: map(requiredIf) }),
    ...(constraints && { constraints: constraints.map((each) => ({ ...each, must: map(each.must) })) }),
    ...(entries && { entries: Object.fromEntries(mapped) }),
  };
}

export function conditionsOf({ showIf, requiredIf, constraints = [], entries = {} }: ElementLogic = {}): Condition[] {
  return [
    ...(showIf ? [showIf] : []),
    ...(requiredIf ? [requiredIf] : []),
    ...constraints.map(({ must }) => must),
    ...Object.values(entries),
  ];
}
