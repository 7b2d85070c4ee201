import type { JsonObject } from "@canvass/values";

/** How a question is imported: our type with its settings, or why it is left out. */
export interface ImportedType {
  type?: string;
  typeSettings?: JsonObject;
  /** Where its choices, rows and columns come from. */
  choices?: "answers" | "subquestions";
  rows?: "subquestions";
  columns?: "answers" | readonly string[];
  format?: "number";
  /** What differs in the survey. */
  changed?: string;
  leftOut?: string;
}

const out = (leftOut: string): ImportedType => ({ leftOut });
const scale = (most: number) => Array.from({ length: most }, (_, at) => String(at + 1));
const matrix = (columns: ImportedType["columns"], changed?: string): ImportedType => ({
  type: "matrix",
  rows: "subquestions",
  columns: columns!,
  ...(changed !== undefined && { changed }),
});

/** Question types of LimeSurvey by their letter. */
export const limeTypes: Readonly<Record<string, ImportedType>> = {
  "5": { type: "rating", typeSettings: { steps: 5, style: "number" } },
  A: matrix(scale(5)),
  B: matrix(scale(10)),
  C: matrix(["Yes", "Uncertain", "No"], "its columns have English texts, which may be translated"),
  E: matrix(["Increase", "Same", "Decrease"], "its columns have English texts, which may be translated"),
  F: matrix("answers"),
  H: matrix("answers", "its rows and columns stand the usual way"),
  D: { type: "date_time" },
  G: { type: "multiple_choice", choices: "answers", changed: "asks for a gender with choices of its own" },
  K: { type: "form", rows: "subquestions", format: "number" },
  L: { type: "multiple_choice", choices: "answers" },
  O: { type: "multiple_choice", choices: "answers", changed: "has no field for a comment" },
  "!": { type: "dropdown", choices: "answers" },
  M: { type: "multiple_choice", typeSettings: { multipleAnswers: true }, choices: "subquestions" },
  P: {
    type: "multiple_choice",
    typeSettings: { multipleAnswers: true },
    choices: "subquestions",
    changed: "has no fields for comments",
  },
  N: { type: "number" },
  Q: { type: "form", rows: "subquestions" },
  R: { type: "ranking", typeSettings: { rankAll: false }, choices: "answers" },
  S: { type: "short_text" },
  T: { type: "long_text" },
  U: { type: "long_text" },
  X: { type: "statement" },
  Y: { type: "yes_no" },
  "|": { type: "file_upload" },
  "1": out("is an array of two scales, for which there is no question type"),
  ":": out("is an array of numbers, for which there is no question type"),
  ";": out("is an array of texts, for which there is no question type"),
  "*": out("is an equation; a formula is never run"),
  I: out("switches the language, which settings.locale.showSwitch does"),
};
