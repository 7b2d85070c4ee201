import type { FieldValue, HiddenField } from "../fields/hidden-field.ts";
import { pick, wholeNumber, type Random } from "./random.ts";

const words = ["newsletter", "poster", "shop", "website", "friend"] as const;

/** Share of fields that a respondent comes without. */
const missing = 0.1;

/** Returns values of hidden fields by name, as a caller gives them at the start. */
export function sampleFields(fields: readonly HiddenField[], random: Random): Record<string, FieldValue> {
  const given = fields.filter(() => random() >= missing);
  return Object.fromEntries(
    given.map(({ name, type }) => [name, type === "number" ? wholeNumber(1, 100, random) : pick(words, random)]),
  );
}
