import { nameKey, type HiddenField, type SurveyDefinition } from "@canvass/questions";
import type { RespondentColumn } from "./respondent-columns.ts";

/** A hidden field, merged over all survey versions. Names are compared without case, as column names are. */
export interface ExportedField extends Pick<HiddenField, "name" | "type"> {
  /** The names as the versions write them, the newest first. */
  spellings: readonly string[];
}

/**
 * Merges the fields of the next version into those of earlier versions; call in ascending version order. The new
 * version's fields come first, in its order, then the earlier fields that it no longer has.
 */
export function mergeFields(earlier: readonly ExportedField[], { fields = [] }: SurveyDefinition): ExportedField[] {
  const known = new Map(earlier.map((field) => [nameKey(field.name), field]));
  const own = fields.map(({ name, type }): ExportedField => {
    const former = known.get(nameKey(name));
    // If any version had the field as text, its column is text.
    return {
      name,
      type: former?.type === "text" ? "text" : type,
      spellings: [...new Set([name, ...(former?.spellings ?? [])])],
    };
  });
  const present = new Set(own.map(({ name }) => nameKey(name)));
  return [...own, ...earlier.filter(({ name }) => !present.has(nameKey(name)))];
}

/** Returns the fields with these names, in the order of `fields`. `null` selects all. */
export function chosenFields(fields: readonly ExportedField[], names: readonly string[] | null = null) {
  const keys = names && new Set(names.map(nameKey));
  return keys ? fields.filter(({ name }) => keys.has(nameKey(name))) : fields;
}

const number = { kind: "number", measure: "scale" } as const;
const text = { kind: "text", measure: "nominal" } as const;

/** One column per hidden field. */
export function fieldColumns(fields: readonly ExportedField[]): RespondentColumn[] {
  return fields.map(({ name, type, spellings }) => ({
    id: `field.${name}`,
    text: `Field: ${name}`,
    ...(type === "number" ? number : text),
    values: [],
    read({ fields: values }) {
      const spelling = spellings.find((each) => Object.hasOwn(values, each));
      const value = spelling === undefined ? "" : values[spelling]!;
      if (value === "") return null;
      return type === "number" ? value : String(value);
    },
  }));
}
