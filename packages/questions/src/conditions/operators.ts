import { isJsonObject } from "@canvass/values";
import type { Operator } from "./condition.ts";

/** Equality ignores case and the order of lists. A matrix contains what one of its cells contains. */
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

function atom(value: unknown): unknown {
  if (typeof value === "string") return value.toLowerCase();
  return isJsonObject(value) && typeof value["choiceId"] === "string" ? value["choiceId"] : value;
}

function atoms(value: unknown): unknown[] {
  return Array.isArray(value) ? value.map(atom) : [atom(value)];
}

function equals(answer: unknown, target: unknown): boolean {
  if (!Array.isArray(answer) && !Array.isArray(target)) return atom(answer) === atom(target);
  const [given, wanted] = [new Set(atoms(answer)), new Set(atoms(target))];
  return given.size === wanted.size && [...given].every((item) => wanted.has(item));
}

/** Of a list of answers, one is enough. */
function isIn(answer: unknown, target: unknown): boolean {
  const wanted = new Set(atoms(target));
  return atoms(answer).some((item) => wanted.has(item));
}

function startsWith(answer: unknown, target: unknown): boolean {
  const [text, start] = [atom(answer), atom(target)];
  return typeof text === "string" && typeof start === "string" && text.startsWith(start);
}

function contains(answer: unknown, target: unknown): boolean {
  if (Array.isArray(target)) return target.length > 0 && target.every((item) => contains(answer, item));
  if (typeof answer === "string")
    return typeof target === "string" && answer.toLowerCase().includes(target.toLowerCase());
  if (Array.isArray(answer)) return atoms(answer).includes(atom(target));
  if (!isJsonObject(answer)) return answer === target;
  if (typeof answer["choiceId"] === "string") return answer["choiceId"] === target;
  return Object.values(answer).some(
    (cell) => atoms(cell).includes(atom(target)) || (isJsonObject(cell) && contains(cell, target)),
  );
}

/** Compares two numbers, or two texts by characters (as for dates); NaN for other values. */
function compare(answer: unknown, target: unknown): number {
  if (typeof answer === "number" && typeof target === "number") return answer - target;
  if (typeof answer !== "string" || typeof target !== "string") return Number.NaN;
  if (answer === target) return 0;
  return answer < target ? -1 : 1;
}
