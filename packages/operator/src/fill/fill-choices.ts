import { OperationalError } from "@canvass/provisioning/operational-error";
import type { FieldValue } from "@canvass/questions";
import type { Published } from "./published-version.ts";

/** Throws OperationalError for a language in which the survey is not offered. */
export function chosenLanguages({ languages }: Published, chosen: readonly string[] = languages): readonly string[] {
  const unknown = chosen.filter((language) => !languages.includes(language));
  if (unknown.length === 0) return chosen;
  throw new OperationalError(
    `--languages: The survey is not offered in ${unknown.join(", ")}; choose of ${languages.join(", ")}.`,
  );
}

/** Parses values of the survey's hidden fields. Throws OperationalError for unknown fields and invalid values. */
export function givenFields(
  { definition: { fields = [] } }: Published,
  given: Iterable<readonly [name: string, text: string]> = [],
): Record<string, FieldValue> {
  const values = Array.from(given, ([name, text]): [string, FieldValue] => {
    const field = fields.find((each) => each.name === name);
    if (!field) throw new OperationalError(`--fields: The survey has no hidden field ${name}.`);
    if (field.type === "text") return [name, text];
    if (text.trim() === "" || !Number.isFinite(Number(text)))
      throw new OperationalError(`--fields: ${name} must be a number.`);
    return [name, Number(text)];
  });
  return Object.fromEntries(values);
}
