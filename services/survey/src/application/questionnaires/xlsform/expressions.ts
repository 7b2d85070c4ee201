import type { JsonObject } from "@canvass/values";
import { NotSayable, type Expression } from "../expressions/expression.ts";
import type { Dialect } from "../expressions/tokenize.ts";
import { askedIn, choiceKey, compareAnswer, type ConditionContext } from "../expressions/to-condition.ts";

/** XPath of XLSForm: https://xlsform.org/en/#relevant */
export const xpath: Dialect = {
  reference: /\$\{\s*([\w.-]+)\s*\}/y,
  operators: { "=": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", and: "and", or: "or" },
};

const calls: Record<string, string> = { selected: "contains", contains: "contains", "starts-with": "starts_with" };

/**
 * Converts a call of one of `calls`; undefined for other functions. Throws `NotSayable` for arguments that no condition
 * has.
 */
export function xpathCall(
  name: string,
  args: readonly Expression[],
  context: ConditionContext,
): JsonObject | undefined {
  if (!Object.hasOwn(calls, name) || args.length !== 2) return undefined;
  const asked = askedIn(args[0], context);
  const [, value] = args;
  if (name !== "selected") {
    if (asked.kind !== "text" || value?.kind !== "literal") throw new NotSayable(`uses ${name}() of what is no text`);
    return { element: asked.key, operator: calls[name], value: String(value.value) };
  }
  if (value?.kind !== "literal") throw new NotSayable("asks for a choice that is calculated");
  if (asked.kind === "choices")
    return { element: asked.key, operator: "contains", value: choiceKey(asked, value.value) };
  return compareAnswer(asked, "=", value.value);
}

/** Replaces the names of columns in a `choice_filter` by the values that a choice has there. */
export function withColumns(expression: Expression, column: (name: string) => string): Expression {
  switch (expression.kind) {
    case "and":
    case "or":
      return { ...expression, parts: expression.parts.map((part) => withColumns(part, column)) };
    case "not":
      return { ...expression, part: withColumns(expression.part, column) };
    case "compare":
      return {
        ...expression,
        left: withColumns(expression.left, column),
        right: withColumns(expression.right, column),
      };
    case "call": {
      const [first] = expression.args;
      if (expression.name === "column" && first?.kind === "literal")
        return { kind: "literal", value: column(String(first.value)) };
      return { ...expression, args: expression.args.map((arg) => withColumns(arg, column)) };
    }
    default:
      return expression;
  }
}

/** Whether an expression holds whatever is answered; undefined if that depends on answers or is not known. */
export function constantOf(expression: Expression): boolean | undefined {
  if (expression.kind === "compare" && expression.left.kind === "literal" && expression.right.kind === "literal") {
    const same = String(expression.left.value) === String(expression.right.value);
    return expression.operator === "=" ? same : expression.operator === "!=" ? !same : undefined;
  }
  if (expression.kind === "not") {
    const part = constantOf(expression.part);
    return part === undefined ? undefined : !part;
  }
  if (expression.kind !== "and" && expression.kind !== "or") return undefined;
  const decisive = expression.kind === "or";
  const parts = expression.parts.map(constantOf);
  if (parts.includes(decisive)) return decisive;
  return parts.includes(undefined) ? undefined : !decisive;
}

/** Leaves out the parts that always hold, or never, of an expression that depends on answers. */
export function withoutConstants(expression: Expression): Expression {
  if (expression.kind !== "and" && expression.kind !== "or") return expression;
  const parts = expression.parts.filter((part) => constantOf(part) === undefined).map(withoutConstants);
  return parts.length === 1 ? parts[0]! : { ...expression, parts };
}
