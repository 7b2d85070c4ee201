import { isJsonObject, type JsonObject } from "@canvass/values";
import { listAt, textAt } from "../json-values.ts";

/** How an element is imported: our question type with its settings, or why it is left out. */
export interface ImportedType {
  type?: string;
  typeSettings?: JsonObject;
  /** `choices`, `rows`, `columns`: the element's member that has this list, such as `items`. */
  choices?: string;
  rows?: string;
  columns?: string;
  /** What differs in the survey. */
  changed?: string;
  leftOut?: string;
}

/** Returns the question type of an element by its `type` and `inputType`. */
export function typeOf(source: JsonObject): ImportedType {
  const type = textAt(source, "type");
  if (type === "text") return inputType(source);
  if (type === "rating") return rating(source);
  if (type === "slider") return { type: "slider", typeSettings: range(source, "min", "max") };
  if (Object.hasOwn(types, type)) return types[type]!;
  return { leftOut: `has the type ${type.slice(0, 60)}, for which there is no question type` };
}

const several = { multipleAnswers: true };

const types: Record<string, ImportedType> = {
  comment: { type: "long_text" },
  radiogroup: { type: "multiple_choice", choices: "choices" },
  checkbox: { type: "multiple_choice", typeSettings: several, choices: "choices" },
  tagbox: { type: "multiple_choice", typeSettings: several, choices: "choices" },
  dropdown: { type: "dropdown", choices: "choices" },
  buttongroup: { type: "multiple_choice", choices: "choices" },
  imagepicker: { type: "multiple_choice", choices: "choices", changed: "its pictures are left out" },
  ranking: { type: "ranking", choices: "choices" },
  boolean: { type: "yes_no" },
  matrix: { type: "matrix", rows: "rows", columns: "columns" },
  multipletext: { type: "form", rows: "items" },
  file: { type: "file_upload" },
  html: { type: "statement" },
  expression: { leftOut: "calculates; a formula is never run" },
};

const inputs: Record<string, ImportedType> = {
  number: { type: "number" },
  range: { type: "slider" },
  date: { type: "date_time" },
  time: { type: "date_time", typeSettings: { mode: "time" } },
  "datetime-local": { type: "date_time", typeSettings: { mode: "datetime" } },
  email: { type: "short_text", typeSettings: { format: "email" } },
  tel: { type: "short_text", typeSettings: { format: "phone" } },
  url: { type: "short_text", typeSettings: { format: "url" } },
};

function inputType(source: JsonObject): ImportedType {
  const input = textAt(source, "inputType");
  if (!Object.hasOwn(inputs, input))
    return {
      type: "short_text",
      ...(/^(|text)$/.test(input) ? {} : { changed: `is typed as text, not by ${input.slice(0, 40)}` }),
    };
  const known = inputs[input]!;
  if (known.type !== "number" && known.type !== "slider") return known;
  return { ...known, typeSettings: range(source, "min", "max") };
}

function range(source: JsonObject, least: string, most: string): JsonObject {
  const [min, max, step] = [source[least], source[most], source["step"]].map((value) =>
    typeof value === "number" || (typeof value === "string" && value.trim() !== "") ? Number(value) : undefined,
  );
  return {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(step !== undefined && textAt(source, "type") === "slider" && { step }),
  };
}

function rating(source: JsonObject): ImportedType {
  const values = listAt(source, "rateValues");
  const [least, most] = [
    Number(textAt(source, "rateMin") || 1),
    Number(textAt(source, "rateMax") || textAt(source, "rateCount") || 5),
  ];
  const isCounted = values.every((value, at) => (isJsonObject(value) ? value["value"] : value) === at + 1);
  const steps = values.length || most;
  if (isCounted && least === 1 && steps >= 2 && steps <= 10)
    return { type: "rating", typeSettings: { steps, style: styleOf(textAt(source, "rateType")) } };
  if (values.length > 0) return { type: "multiple_choice", choices: "rateValues", changed: "its values are choices" };
  return {
    type: "slider",
    typeSettings: { min: least, max: most },
    changed: "is a slider, since ratings count from 1 to at most 10",
  };
}

const styleOf = (rateType: string): string => ({ stars: "star", smileys: "smiley" })[rateType] ?? "number";
