import { shapeViolations } from "@canvass/inputs";
import { fieldsInput, type HiddenField } from "./hidden-field.ts";

/** Returns fields in their one form, without what is the default. Empty for anything but a valid shape. */
export function readFields(given: unknown): HiddenField[] {
  if (given === undefined || shapeViolations(fieldsInput, given).length > 0) return [];
  return (given as HiddenField[]).map(({ name, type, default: value, allowAnonymous }) => ({
    name,
    type,
    ...(value !== undefined && { default: value }),
    ...(allowAnonymous && { allowAnonymous }),
  }));
}
