import { joinPath, type Violation } from "@canvass/inputs";
import type { DefinitionIndex } from "../definition-index.ts";
import type { ContextCondition } from "./condition.ts";
import { languageConditions, numberConditions, textConditions, type Conditions } from "./targets.ts";

const ofFields = { text: textConditions, number: numberConditions };

/** Returns the violation of a condition on a hidden field or the language. */
export function contextViolation(
  leaf: ContextCondition,
  path: string,
  fields: DefinitionIndex["fields"],
): Violation | undefined {
  if ("language" in leaf) return comparisonViolation(leaf, path, languageConditions, "the language");
  const field = fields.get(leaf.field);
  if (!field) return { path: joinPath(path, "field"), message: "must name a hidden field of the survey" };
  return comparisonViolation(leaf, path, ofFields[field.type], `a ${field.type}`);
}

function comparisonViolation(
  { operator, value }: ContextCondition,
  path: string,
  conditions: Conditions<null>,
  name: string,
): Violation | undefined {
  const violation = (member: string, message: string) => ({ path: joinPath(path, member), message });
  const isGiven = value !== undefined && value !== null;
  if (operator === "answered" || operator === "not_answered") {
    return isGiven ? violation("value", `is not supported by ${operator}`) : undefined;
  }
  const check = conditions[operator];
  if (!check) {
    const known = ["answered", "not_answered", ...Object.keys(conditions)].join(", ");
    return violation("operator", `does not fit ${name}; operators of it are ${known}`);
  }
  if (!isGiven) return violation("value", "is required");
  const message = check(null, value) ?? (operator === "between" ? rangeMessage(value as number[]) : null);
  return message === null ? undefined : violation("value", message);
}

const rangeMessage = ([low = 0, high = 0]: number[]): string | null =>
  low > high ? "must be a list of the lowest and the highest, in this order" : null;
