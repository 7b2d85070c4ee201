import { isJsonObject, type JsonObject } from "@canvass/values";
import type { Operator } from "./condition.ts";

/**
 * Prepares an answer for `satisfies`, once for all comparisons with it, because it may be long: in lower case, choices
 * by their ids, and a matrix as the list of what its cells contain.
 */
export function comparable(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(atom);
  if (isJsonObject(answer) && !isChoice(answer)) return Object.values(answer).flatMap((cell) => comparable(cell));
  return atom(answer);
}

/** Compares what `comparable` returned. Equality ignores case and the order of lists. */
export function satisfies(answer: unknown, operator: Operator, target: unknown): boolean {
  return comparisons[operator](answer, target);
}

const comparisons: Record<Operator, (answer: unknown, target: unknown) => boolean> = {
  answered: () => true,
  not_answered: () => false,
  equals,
  not_equals: (answer, target) => !equals(answer, target),
  in: isIn,
  not_in: (answer, target) => !isIn(answer, target),
  contains,
  not_contains: (answer, target) => !contains(answer, target),
  starts_with: startsWith,
  greater_than: (answer, target) => compare(answer, target) > 0,
  less_than: (answer, target) => compare(answer, target) < 0,
  at_least: (answer, target) => compare(answer, target) >= 0,
  at_most: (answer, target) => compare(answer, target) <= 0,
  between: (answer, target) =>
    Array.isArray(target) && compare(answer, target[0]) >= 0 && compare(answer, target[1]) <= 0,
};

const negative: ReadonlySet<Operator> = new Set(["not_answered", "not_equals", "not_in", "not_contains"]);

/** Negative operators also hold for a missing answer. */
export function holdsUnanswered(operator: Operator): boolean {
  return negative.has(operator);
}

const isChoice = (value: JsonObject): boolean => typeof value["choiceId"] === "string";

function atom(value: unknown): unknown {
  if (typeof value === "string") return value.toLowerCase();
  return isJsonObject(value) && isChoice(value) ? value["choiceId"] : value;
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
const atoms = (target: unknown): unknown[] => asList(target).map(atom);

function equals(answer: unknown, target: unknown): boolean {
  if (!Array.isArray(answer) && !Array.isArray(target)) return answer === atom(target);
  const [given, wanted] = [new Set(asList(answer)), new Set(atoms(target))];
  return given.size === wanted.size && [...given].every((item) => wanted.has(item));
}

/** Of a list of answers, one is enough. */
function isIn(answer: unknown, target: unknown): boolean {
  const wanted = new Set(atoms(target));
  return asList(answer).some((item) => wanted.has(item));
}

function startsWith(answer: unknown, target: unknown): boolean {
  const start = atom(target);
  return typeof answer === "string" && typeof start === "string" && answer.startsWith(start);
}

function contains(answer: unknown, target: unknown): boolean {
  if (Array.isArray(target)) return target.length > 0 && target.every((item) => contains(answer, item));
  const part = atom(target);
  if (typeof answer === "string") return typeof part === "string" && answer.includes(part);
  return asList(answer).includes(part);
}

/** Compares two numbers, or two texts by characters; NaN for other values. */
function compare(answer: unknown, target: unknown): number {
  const other = atom(target);
  if (typeof answer === "number" && typeof other === "number") return answer - other;
  if (typeof answer !== "string" || typeof other !== "string") return Number.NaN;
  if (answer === other) return 0;
  return answer < other ? -1 : 1;
}
