import type { JsonObject } from "@canvass/values";
import { objectAt, textAt } from "../json-values.ts";

/** How a question is imported: our type with its settings, or why it is left out. */
export interface ImportedType {
  type?: string;
  typeSettings?: JsonObject;
  /** The list that the file's choices become. */
  choices?: "choices" | "rows";
  /** Whether the file's answers become columns. */
  columns?: boolean;
  /** What differs in the survey. */
  changed?: string;
  leftOut?: string;
}

/** Returns the question type of a payload by its type, selector and validation. */
export function typeOf(payload: JsonObject): ImportedType {
  const [type, selector, sub] = ["QuestionType", "Selector", "SubSelector"].map((name) => textAt(payload, name));
  switch (type) {
    case "MC":
      return multipleChoice(selector!);
    case "TE":
      return textEntry(selector!, textAt(objectAt(objectAt(payload, "Validation"), "Settings"), "ContentType"));
    case "Matrix":
      return matrix(payload, selector!, sub!);
    case "DB":
      return { type: "statement" };
    case "RO":
      return { type: "ranking", choices: "choices" };
    case "FileUpload":
      return { type: "file_upload" };
    case "Slider":
      return slider(payload);
    default:
      return {
        leftOut: `has the type ${[type, selector].filter(Boolean).join(" ").slice(0, 60)}, for which there is no question type`,
      };
  }
}

function multipleChoice(selector: string): ImportedType {
  if (selector === "NPS") return { type: "nps", changed: "asks the standard sentence of NPS" };
  if (selector === "DL") return { type: "dropdown", choices: "choices" };
  const isMultiple = /^(MA|MSB)/.test(selector);
  return {
    type: "multiple_choice",
    choices: "choices",
    ...(isMultiple && { typeSettings: { multipleAnswers: true } }),
  };
}

function textEntry(selector: string, content: string): ImportedType {
  if (selector === "FORM") return { type: "form", choices: "rows" };
  if (selector === "PW") return { type: "short_text", changed: "shows what is typed" };
  if (content === "ValidNumber") return { type: "number" };
  if (content === "ValidDate") return { type: "date_time", changed: "takes dates as 2026-01-31" };
  const format = { ValidEmail: "email", ValidPhone: "phone" }[content];
  if (format !== undefined) return { type: "short_text", typeSettings: { format } };
  return { type: selector === "ML" || selector === "ESTB" ? "long_text" : "short_text" };
}

function matrix(payload: JsonObject, selector: string, sub: string): ImportedType {
  const isList = Object.keys(objectAt(payload, "Answers")).length <= 1;
  if (selector === "TE" && isList) return { type: "form", choices: "rows" };
  if (!/^(Likert|Bipolar|Profile|DL)$/.test(selector))
    return { leftOut: `has the type Matrix ${selector.slice(0, 40)}, for which there is no question type` };
  return {
    type: "matrix",
    choices: "rows",
    columns: true,
    ...(/Multiple/.test(sub) && { typeSettings: { multiple: true } }),
    ...(selector !== "Likert" && { changed: "is a plain matrix" }),
  };
}

function slider(payload: JsonObject): ImportedType {
  if (Object.keys(objectAt(payload, "Choices")).length !== 1)
    return { leftOut: "has several sliders, for which there is no question type" };
  const configuration = objectAt(payload, "Configuration");
  const [min, max] = [
    Number(textAt(configuration, "CSSliderMin") || 0),
    Number(textAt(configuration, "CSSliderMax") || 100),
  ];
  const decimals = Number(textAt(configuration, "NumDecimals") || 0);
  return { type: "slider", typeSettings: { min, max, ...(decimals > 0 && { step: Number(`1e-${decimals}`) }) } };
}
