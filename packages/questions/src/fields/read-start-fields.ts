import { type Violation } from "@canvass/inputs";
import { isJsonWithinBytes, isLongerThan, isStorable, type JsonObject } from "@canvass/values";
import { fieldLimits, type FieldValue, type HiddenField } from "./hidden-field.ts";

export interface StartFields {
  /** By name. Fields without a value are left out. */
  values: Record<string, FieldValue>;
  /** Number of given values that are not kept. */
  ignored: number;
  violations: Violation[];
}

export interface StartFieldsOptions {
  /** The survey collects with full anonymity. */
  isAnonymous: boolean;
  /**
   * Values come from the query string of a survey link, so all are strings. Invalid ones are ignored, because the
   * respondent cannot correct them.
   */
  isLink: boolean;
}

/**
 * Reads the values of a respondent's hidden fields from the input of a start (contract 6.18). Unknown names are
 * ignored.
 */
export function readStartFields(
  fields: readonly HiddenField[],
  given: JsonObject,
  { isAnonymous, isLink }: StartFieldsOptions,
): StartFields {
  const kept = fields.filter(({ allowAnonymous = false }) => allowAnonymous || !isAnonymous);
  const values: Record<string, FieldValue> = {};
  const violations: Violation[] = [];
  let ignored = Object.keys(given).length;
  const keep = (name: string, value: FieldValue): boolean => {
    const isFitting = isJsonWithinBytes({ ...values, [name]: value }, fieldLimits.bytes);
    if (isFitting) values[name] = value;
    return isFitting;
  };
  for (const { name, type } of kept) {
    if (!Object.hasOwn(given, name)) continue;
    const value = isLink ? valueInQuery(type, given[name]) : valueOf(type, given[name]);
    if (value !== undefined && keep(name, value)) ignored -= 1;
    else if (!isLink)
      violations.push({ path: `fields.${name}`, message: value === undefined ? expected[type] : tooMuch });
  }
  for (const { name, default: usual } of kept) {
    if (usual !== undefined && !Object.hasOwn(values, name)) keep(name, usual);
  }
  return { values, ignored, violations };
}

const expected = { text: `must be text of at most ${fieldLimits.characters} characters`, number: "must be a number" };
const tooMuch = `must not bring the fields above ${fieldLimits.bytes / 1024} KiB of JSON`;

function valueOf(type: HiddenField["type"], value: unknown): FieldValue | undefined {
  if (type === "number") return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  return typeof value === "string" && !isLongerThan(value, fieldLimits.characters) && isStorable(value)
    ? value
    : undefined;
}

const numberInQuery = /^[+-]?\d{1,20}(?:\.\d{1,20})?$/;

/** An empty string counts as no value. */
function valueInQuery(type: HiddenField["type"], value: unknown): FieldValue | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  if (type === "text") return valueOf(type, value);
  return numberInQuery.test(value) ? Number(value) : undefined;
}
