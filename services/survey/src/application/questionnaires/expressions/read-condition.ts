import type { JsonObject } from "@canvass/values";
import { NotSayable } from "./expression.ts";
import { parseExpression } from "./parse-expression.ts";
import type { Dialect } from "./tokenize.ts";
import { toCondition, type ConditionContext } from "./to-condition.ts";

/** Converts an expression to a condition of a document, or returns why it cannot be converted. */
export function readCondition(source: string, dialect: Dialect, context: ConditionContext): JsonObject | string {
  return conditionOrReason(() => toCondition(parseExpression(source, dialect), context));
}

export function conditionOrReason(make: () => JsonObject): JsonObject | string {
  try {
    return make();
  } catch (error) {
    if (error instanceof NotSayable) return error.message;
    throw error;
  }
}
