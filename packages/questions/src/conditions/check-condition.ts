import { checkShape, joinPath, type Violation } from "@canvass/inputs";
import { isJsonObject } from "@canvass/values";
import type { TSchema } from "typebox";
import { mostViolations } from "../most-violations.ts";
import { weightLimits } from "../weight-limits.ts";
import { conditionLimits } from "./condition.ts";

const groups = ["all", "any", "not"] as const;

/** Adds every violation of a condition's shape. `schema` comes from `conditionSchemaOf`. Any JSON may be given. */
export function checkCondition(schema: TSchema, condition: unknown, path: string, violations: Violation[]): void {
  const [answers, field, language, all, any, not, named] = (schema as unknown as { anyOf: TSchema[] }).anyOf;
  const leafOf = (value: unknown): TSchema => {
    if (!isJsonObject(value)) return answers!;
    if (Object.hasOwn(value, "field")) return field!;
    if (Object.hasOwn(value, "language")) return language!;
    return Object.hasOwn(value, "name") ? (named ?? answers!) : answers!;
  };
  const joined = [all, any, not];
  let leaves = 0;
  const isOver = () => leaves > conditionLimits.leaves || violations.length >= mostViolations;
  const check = (value: unknown, at: string, level: number): void => {
    if (isOver()) return;
    const group = isJsonObject(value) ? groups.findIndex((name) => Object.hasOwn(value, name)) : -1;
    if (group < 0) leaves += 1;
    if (isOver()) return;
    checkShape(group < 0 ? leafOf(value) : joined[group]!, value, at, violations);
    if (group < 0) return;
    if (level === conditionLimits.levels) {
      violations.push({ path: at, message: `must have at most ${conditionLimits.levels} levels` });
      return;
    }
    const name = groups[group]!;
    const parts = (value as Record<string, unknown>)[name];
    const place = joinPath(at, name);
    if (name === "not") check(parts, place, level + 1);
    else if (Array.isArray(parts) && parts.length <= conditionLimits.leaves) {
      for (const [index, part] of parts.entries()) check(part, joinPath(place, index), level + 1);
    }
  };
  check(condition, path, 1);
  if (leaves > conditionLimits.leaves) {
    violations.push({ path, message: `must have at most ${conditionLimits.leaves} comparisons` });
  }
}

/** Checks the conditions of a list of skip rules, which `checkShape` passes over. */
export function checkRuleConditions(schema: TSchema, rules: unknown, path: string, violations: Violation[]): void {
  if (!Array.isArray(rules) || rules.length > weightLimits.pageRules) return;
  for (const [at, rule] of (rules as unknown[]).entries()) {
    if (!isJsonObject(rule) || !Object.hasOwn(rule, "when")) continue;
    checkCondition(schema, rule["when"], joinPath(path, `${at}.when`), violations);
  }
}
