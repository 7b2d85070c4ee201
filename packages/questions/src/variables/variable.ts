import type { DateTimeMode } from "../dates.ts";
import type { ExportName } from "../question-type.ts";

/** Figures that can be computed over time from the answers to a variable. */
export const measures = ["nps", "mean", "share"] as const;
export type Measure = (typeof measures)[number];

export interface Category extends ExportName {
  /** It can no longer be chosen. */
  isRetired: boolean;
}

/** A variable of a table: a question, or a part of one at a path, such as a row of a matrix. */
export interface Variable {
  text: string;
  /** The path to the part; empty for a whole question. */
  place: readonly ExportName[];
  /** `single`: one of the categories; `multiple`: any of them; the others have no fixed categories. */
  kind: "single" | "multiple" | "number" | DateTimeMode;
  /** In the order of the question. */
  categories: readonly Category[];
  measures: readonly Measure[];
  /** Returns the ids of the chosen categories, or the number or the ISO 8601 text; null where there is no answer. */
  read(value: unknown): readonly string[] | number | string | null;
}
