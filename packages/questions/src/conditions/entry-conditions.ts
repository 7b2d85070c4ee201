import { joinPath, type Violation } from "@canvass/inputs";
import { isJsonObject } from "@canvass/values";
import { Type, type TSchema } from "typebox";
import { checkCondition } from "./check-condition.ts";

/**
 * The field `showIf` of a choice or row. Documents refer to the named schema of a condition instead of repeating it,
 * because each kind of list has the field.
 */
export function entryShowIf(condition: "ConditionInput" | "DocumentCondition") {
  const field = {
    anyOf: [Type.Unsafe<object>({ type: "object", additionalProperties: true }), Type.Null()],
    description: "shown only if it holds; may depend on earlier questions only",
    "x-shown-as": `${condition}OrNull`,
    "x-judged-by": "condition",
  };
  return { showIf: Type.Optional(Type.Unsafe<unknown>(field)) };
}

/** Adds the violations of conditions in a list, which `checkShape` passes over. */
export function checkEntryConditions(
  schema: TSchema,
  entries: readonly unknown[],
  path: string,
  violations: Violation[],
): void {
  for (const [at, entry] of entries.entries()) {
    const showIf = isJsonObject(entry) ? (entry["showIf"] ?? null) : null;
    if (showIf !== null) checkCondition(schema, showIf, joinPath(path, `${at}.showIf`), violations);
  }
}
