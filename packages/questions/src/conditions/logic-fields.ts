import { checkShape, closed, joinPath, type Violation, word } from "@canvass/inputs";
import { isJsonObject, ownValue, type JsonObject } from "@canvass/values";
import { Type, type TObject, type TSchema } from "typebox";
import { whichChoices } from "../choices-from.ts";
import { constraintMessage, type constraintNumber } from "../constraint-numbers.ts";
import type { ElementLogic } from "../definition.ts";
import { logicFields } from "../element-logic.ts";
import { weightLimits } from "../weight-limits.ts";
import { checkCondition } from "./check-condition.ts";
import { conditionTarget } from "./targets.ts";
import { nullableCondition } from "./condition.ts";

/**
 * Fields of an element, or of a page (only `showIf`), whose conditions have that schema. `choicesFrom`: the shapes of
 * the field. `numbering`: further fields of a constraint. `checkLogic` validates them.
 */
export function logicFieldsOf(
  condition: TSchema,
  name: string,
  choicesFrom: readonly TObject[],
  numbering: Partial<typeof constraintNumber> = {},
) {
  const orNull = Type.Optional(nullableCondition(condition, { "x-judged-by": "condition" }));
  const constraints = {
    anyOf: [constraintsOf(condition, name, numbering), Type.Null()],
    description: "conditions that answers must fulfil; otherwise the respondent sees the message",
    "x-judged-by": "condition",
  };
  return {
    showIf: orNull,
    requiredIf: orNull,
    constraints: Type.Optional(Type.Unsafe<unknown>(constraints)),
    defaultValue: Type.Optional(
      Type.Unsafe<unknown>({ ...conditionTarget, description: aboutDefault, "x-judged-by": "condition" }),
    ),
    choicesFrom: Type.Optional(Type.Union([...choicesFrom, Type.Null()], aboutChoicesFrom(choicesFrom))),
  };
}

const aboutChoicesFrom = (shapes: readonly TObject[]) => ({
  description: "shows choices of an earlier question instead of its own",
  "x-expected": "an object or null",
  // A choice between shapes has a name in the API's document.
  ...(shapes.length > 1 && { title: "GivenChoicesFrom" }),
});

/** How callers name the question that `choicesFrom` takes choices from. */
export const choicesFromOf = (reference: Record<string, TSchema>, title: string) =>
  closed({ ...reference, which: Type.Optional(word(whichChoices, { default: "selected" })) }, { title });

const aboutDefault = "the answer that the page shows at first; choices by id, code or text";

function constraintsOf(condition: TSchema, name: string, numbering: Partial<typeof constraintNumber>) {
  const must = Type.Unsafe<unknown>({ ...condition, "x-judged-by": "condition" });
  return Type.Array(closed({ must, message: constraintMessage, ...numbering }, { title: name }), {
    maxItems: weightLimits.elementConstraints,
  });
}

/** Adds the violations of the given fields of `logicFieldsOf`. */
export function checkLogic(
  condition: TSchema,
  input: JsonObject,
  path: string,
  violations: Violation[],
  numbering: Partial<typeof constraintNumber> = {},
): void {
  for (const name of logicFields) {
    const value = Object.hasOwn(input, name) ? input[name] : null;
    if (value === null) continue;
    const place = joinPath(path, name);
    // Callers check its shape with their other fields.
    if (name === "choicesFrom") continue;
    if (name === "constraints") checkConstraints(condition, value, place, violations, numbering);
    else if (name === "defaultValue") checkShape(conditionTarget, value, place, violations);
    else checkCondition(condition, value, place, violations);
  }
}

function checkConstraints(
  condition: TSchema,
  value: unknown,
  path: string,
  violations: Violation[],
  numbering: Partial<typeof constraintNumber>,
): void {
  checkShape(constraintsOf(condition, "Constraint", numbering), value, path, violations);
  if (!Array.isArray(value) || value.length > weightLimits.elementConstraints) return;
  const numbers = new Set<unknown>();
  for (const [at, constraint] of (value as unknown[]).entries()) {
    if (!isJsonObject(constraint)) continue;
    const number = ownValue(constraint, "number");
    if (number !== undefined && numbers.has(number)) {
      violations.push({ path: joinPath(path, `${at}.number`), message: "is the number of another constraint" });
    }
    numbers.add(number);
    if (!Object.hasOwn(constraint, "must")) continue;
    checkCondition(condition, constraint["must"], joinPath(path, `${at}.must`), violations);
  }
}

/** Merges valid fields into the former ones: an absent one stays, null removes it. `withLogic` drops empty lists. */
export function mergeLogic(input: JsonObject, previous: ElementLogic = {}): ElementLogic {
  const logic: ElementLogic = { ...previous };
  for (const name of logicFields) {
    if (!Object.hasOwn(input, name)) continue;
    delete logic[name];
    const given = input[name];
    if (given !== null) Object.assign(logic, { [name]: name === "choicesFrom" ? carriedFrom(given) : given });
  }
  return logic;
}

const carriedFrom = (given: unknown): object => ({ which: "selected", ...(given as object) });
