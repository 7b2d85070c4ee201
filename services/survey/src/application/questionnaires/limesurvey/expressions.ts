import type { JsonObject } from "@canvass/values";
import type { Expression } from "../expressions/expression.ts";
import type { Dialect } from "../expressions/tokenize.ts";
import { askedIn, type ConditionContext } from "../expressions/to-condition.ts";

/** LimeSurvey's ExpressionScript: questions by their codes. */
export const expressionScript: Dialect = {
  reference:
    /(?!(?:and|or|not|eq|ne|lt|le|gt|ge|true|false)\b)([A-Za-z]\w*)(?:\.(?:NAOK|valueNAOK|value|shown))?\b(?!\s*\()/iy,
  operators: {
    "==": "=",
    eq: "=",
    ne: "!=",
    lt: "<",
    le: "<=",
    gt: ">",
    ge: ">=",
    "&&": "and",
    and: "and",
    "||": "or",
    or: "or",
    "!": "not",
    not: "not",
  },
};

export function scriptCall(
  name: string,
  args: readonly Expression[],
  context: ConditionContext,
): JsonObject | undefined {
  if (name !== "is_empty" || args.length !== 1) return undefined;
  return { element: askedIn(args[0], context).key, operator: "not_answered" };
}
