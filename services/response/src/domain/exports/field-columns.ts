import { nameKey, type HiddenField, type SurveyDefinition } from "@canvass/questions";
import type { RespondentColumn } from "./respondent-columns.ts";

/** A field of any version. Names that differ in case only are one field, since names of columns ignore case. */
export interface ExportedField extends Pick<HiddenField, "name" | "type"> {
  spellings: readonly string[];
}

/** Adds the fields of the next version, oldest first: as it has them, and then those that it lacks. */
export function mergeFields(earlier: readonly ExportedField[], { fields = [] }: SurveyDefinition): ExportedField[] {
  const known = new Map(earlier.map((field) => [nameKey(field.name), field]));
  const own = fields.map(({ name, type }): ExportedField => {
    const had = known.get(nameKey(name));
    // What was ever a text is no column of numbers.
    return {
      name,
      type: had?.type === "text" ? "text" : type,
      spellings: [...new Set([name, ...(had?.spellings ?? [])])],
    };
  });
  const present = new Set(own.map(({ name }) => nameKey(name)));
  return [...own, ...earlier.filter(({ name }) => !present.has(nameKey(name)))];
}

/** Returns the fields of these names, in their own order. Null: all. */
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
    read({ 12: values = {} }) {
      const spelling = spellings.find((each) => Object.hasOwn(values, each));
      const value = spelling === undefined ? "" : values[spelling]!;
      if (value === "") return null;
      return type === "number" ? value : String(value);
    },
  }));
}
