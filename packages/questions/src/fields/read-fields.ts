import { shapeViolations } from "@canvass/inputs";
import { fieldsInput, type HiddenField } from "./hidden-field.ts";

/** Returns fields in their normal form: `allowAnonymous` only if true. Empty if the shape is invalid. */
export function readFields(given: unknown): HiddenField[] {
  if (given === undefined || shapeViolations(fieldsInput, given).length > 0) return [];
  return (given as HiddenField[]).map(({ name, type, default: value, allowAnonymous }) => ({
    name,
    type,
    ...(value !== undefined && { default: value }),
    ...(allowAnonymous && { allowAnonymous }),
  }));
}
