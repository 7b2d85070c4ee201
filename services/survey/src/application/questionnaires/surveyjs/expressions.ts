import type { JsonObject } from "@canvass/values";
import { NotSayable, type Expression } from "../expressions/expression.ts";
import type { Dialect } from "../expressions/tokenize.ts";
import { askedIn, choiceKey, type ConditionContext } from "../expressions/to-condition.ts";

/** Expressions of SurveyJS: `{question} = 'a' and {other} notempty`. */
export const surveyjsExpressions: Dialect = {
  reference: /\{([^{}]{1,200})\}/y,
  operators: {
    "=": "=",
    "==": "=",
    equal: "=",
    "!=": "!=",
    "<>": "!=",
    notequal: "!=",
    "<": "<",
    less: "<",
    "<=": "<=",
    lessorequal: "<=",
    ">": ">",
    greater: ">",
    ">=": ">=",
    greaterorequal: ">=",
    and: "and",
    "&&": "and",
    or: "or",
    "||": "or",
    "!": "not",
    negate: "not",
  },
  infix: ["contains", "notcontains", "contain", "notcontain", "anyof", "allof", "noneof"],
  postfix: ["empty", "notempty"],
};

export function surveyjsCall(
  name: string,
  args: readonly Expression[],
  context: ConditionContext,
): JsonObject | undefined {
  if (/^(not)?empty$/.test(name))
    return { element: askedIn(args[0], context).key, operator: name === "empty" ? "not_answered" : "answered" };
  if (!surveyjsExpressions.infix!.includes(name) || args.length !== 2) return undefined;
  const asked = askedIn(args[0], context);
  const values = literals(args[1]!);
  const element = asked.key;
  if (asked.kind === "text" && /contain/.test(name))
    return { element, operator: name.startsWith("not") ? "not_contains" : "contains", value: String(values[0]) };
  const keys = values.map((value) => choiceKey(asked, value));
  if (name === "anyof" || name === "noneof")
    return { element, operator: name === "anyof" ? "in" : "not_in", value: keys };
  if (asked.kind !== "choices") throw new NotSayable(`uses ${name} of a question with one answer`);
  return {
    element,
    operator: name.startsWith("not") ? "not_contains" : "contains",
    value: keys.length === 1 ? keys[0] : keys,
  };
}

function literals(expression: Expression): (string | number | boolean)[] {
  if (expression.kind === "literal") return [expression.value];
  if (expression.kind === "call" && expression.name === "list") return expression.args.flatMap(literals);
  throw new NotSayable("compares with what is calculated");
}
