import { joinPath, type Violation } from "@canvass/inputs";
import { isJsonWithinBytes } from "@canvass/values";
import { nameKey } from "../name-key.ts";
import { fieldLimits, type FieldValue, type HiddenField } from "./hidden-field.ts";

/** Returns the violations of fields whose shape is valid. `taken` has the name keys of the survey's elements. */
export function fieldViolations(fields: readonly HiddenField[], taken: ReadonlySet<string>, path: string): Violation[] {
  const violations: Violation[] = [];
  const seen = new Set<string>();
  for (const [at, field] of fields.entries()) {
    const addViolation = (member: keyof HiddenField, message: string) =>
      violations.push({ path: joinPath(path, `${at}.${member}`), message });
    const key = nameKey(field.name);
    if (taken.has(key)) addViolation("name", "is the name of an element of the survey");
    else if (seen.has(key)) addViolation("name", "is the name of another field");
    seen.add(key);
    if (field.default !== undefined && !hasType(field, field.default))
      addViolation("default", `must be a ${field.type}`);
  }
  if (!isJsonWithinBytes(defaultsOf(fields), fieldLimits.bytes)) {
    violations.push({
      path,
      message: `must have defaults of at most ${fieldLimits.bytes / 1024} KiB of JSON together`,
    });
  }
  return violations;
}

export const hasType = ({ type }: HiddenField, value: FieldValue): boolean =>
  typeof value === (type === "number" ? "number" : "string");

export function defaultsOf(fields: readonly HiddenField[]): Record<string, FieldValue> {
  const given = fields.filter((field) => field.default !== undefined);
  return Object.fromEntries(given.map((field) => [field.name, field.default!]));
}
