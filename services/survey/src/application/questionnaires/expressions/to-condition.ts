import type { JsonObject } from "@canvass/values";
import type { Asked } from "../asked.ts";
import { cut } from "../report.ts";
import { NotSayable, type Comparator, type Expression } from "./expression.ts";

export interface ConditionContext {
  /** Finds a question, or undefined. */
  find: (name: string) => Asked | undefined;
  /** Whether a hidden field has the name. */
  isField?: (name: string) => boolean;
  /** The question of a constraint. */
  self?: Asked;
  /** Converts a call of a function of the dialect; undefined for a function that it does not know. */
  call?: (name: string, args: readonly Expression[], context: ConditionContext) => JsonObject | undefined;
}

const mirrored: Record<Comparator, Comparator> = { "=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
const ordered: Record<Comparator, string> = {
  "=": "equals",
  "!=": "not_equals",
  "<": "less_than",
  "<=": "at_most",
  ">": "greater_than",
  ">=": "at_least",
};

/** Converts an expression to a condition of a document (contract 6.9). Throws `NotSayable`. */
export function toCondition(expression: Expression, context: ConditionContext): JsonObject {
  switch (expression.kind) {
    case "and":
      return { all: expression.parts.map((part) => toCondition(part, context)) };
    case "or":
      return { any: expression.parts.map((part) => toCondition(part, context)) };
    case "not":
      return { not: toCondition(expression.part, context) };
    case "compare":
      return compared(expression, context);
    case "call":
      return called(expression, context);
    case "literal":
      throw new NotSayable("is always the same");
    default:
      throw new NotSayable("takes an answer itself for true or false");
  }
}

function called({ name, args }: Extract<Expression, { kind: "call" }>, context: ConditionContext): JsonObject {
  if (name === "not" && args.length === 1) return { not: toCondition(args[0]!, context) };
  const made = context.call?.(name, args, context);
  if (!made) throw new NotSayable(`uses ${cut(name)}()`);
  return made;
}

function compared(
  { operator, ...sides }: Extract<Expression, { kind: "compare" }>,
  context: ConditionContext,
): JsonObject {
  const [left, right] = [dateLiteral(sides.left), dateLiteral(sides.right)];
  if (isAsked(left) && right.kind === "literal") return comparison(left, operator, right.value, context);
  if (left.kind === "literal" && isAsked(right)) return comparison(right, mirrored[operator], left.value, context);
  if (isAsked(left) && isAsked(right)) {
    const [one, other] = [askedIn(left, context), askedIn(right, context)];
    return { element: one.key, operator: ordered[operator], answerOf: other.key };
  }
  throw new NotSayable("compares what is calculated");
}

/** Returns the literal within a date such as `date('2026-01-31')`, and any other expression as it is. */
function dateLiteral(expression: Expression): Expression {
  const isDate = expression.kind === "call" && /^date(-time)?$/.test(expression.name) && expression.args.length === 1;
  return isDate && expression.args[0]!.kind === "literal" ? expression.args[0]! : expression;
}

const isAsked = ({ kind }: Expression): boolean => kind === "reference" || kind === "self";

/** Finds the question of a reference. Throws `NotSayable`. */
export function askedIn(expression: Expression | undefined, { find, self }: ConditionContext): Asked {
  if (expression?.kind === "self" && self) return self;
  if (expression?.kind !== "reference") throw new NotSayable("does not ask a question");
  const asked = find(expression.name);
  if (!asked || asked.kind === "none")
    throw new NotSayable(`asks ${cut(expression.name)}, of which the survey has no answer`);
  return asked;
}

function comparison(
  of: Expression,
  operator: Comparator,
  value: string | number | boolean,
  context: ConditionContext,
): JsonObject {
  if (of.kind === "reference" && !context.find(of.name) && context.isField?.(of.name)) {
    const isEmpty = value === "" && (operator === "=" || operator === "!=");
    if (isEmpty) return { field: of.name, operator: operator === "=" ? "not_answered" : "answered" };
    return { field: of.name, operator: ordered[operator], value: String(value) };
  }
  return compareAnswer(askedIn(of, context), operator, value);
}

/** Compares the answer to a question. Throws `NotSayable` where its kind has no such comparison. */
export function compareAnswer(asked: Asked, operator: Comparator, value: string | number | boolean): JsonObject {
  const { key: element, kind } = asked;
  const isSameness = operator === "=" || operator === "!=";
  if (kind === "part") return comparePart(asked, operator, value);
  if (value === "" && isSameness) return { element, operator: operator === "=" ? "not_answered" : "answered" };
  if (kind === "number") {
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number !== "number" || !Number.isFinite(number)) throw new NotSayable("compares a number with text");
    return { element, operator: ordered[operator], value: number };
  }
  if (kind === "date") return { element, operator: ordered[operator], value: String(value) };
  if (!isSameness) throw new NotSayable("orders what has no order");
  if (kind === "boolean") {
    const truth = /^(true|yes|y|1|ok)$/i.test(String(value));
    if (!truth && !/^(false|no|n|0)$/i.test(String(value)))
      throw new NotSayable("compares yes or no with something else");
    return { element, operator: ordered[operator], value: truth };
  }
  if (kind === "choice" || kind === "choices")
    return { element, operator: ordered[operator], value: choiceKey(asked, value) };
  return { element, operator: ordered[operator], value: String(value) };
}

/** A part is `Y` if it is chosen, else empty. */
function comparePart(
  { key: element, part }: Asked,
  operator: Comparator,
  value: string | number | boolean,
): JsonObject {
  const isChosen = /^(y|true|1)$/i.test(String(value));
  if ((!isChosen && value !== "") || (operator !== "=" && operator !== "!="))
    throw new NotSayable("compares a choice with something else");
  return { element, operator: isChosen === (operator === "=") ? "contains" : "not_contains", value: part };
}

/** Returns the key of a choice. Throws `NotSayable`. */
export function choiceKey({ choices }: Asked, value: string | number | boolean): string {
  const key = choices?.get(String(value));
  if (key === undefined) throw new NotSayable(`compares with ${cut(String(value))}, which is no choice`);
  return key;
}
