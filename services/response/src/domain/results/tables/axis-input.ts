import type { Category, dateUnits, knownVariables } from "@canvass/questions";
import type { WantedFacts } from "../wanted-facts.ts";

/** Where a respondent's value is: at a place of the answer to an element and loop item, in a hidden field, or known. */
export type ValueSource =
  | { elementId: string; itemId: string | null; place: readonly string[] }
  | { field: string }
  | { known: (typeof knownVariables)[number] };

export type DateUnit = (typeof dateUnits)[number];

/** How respondents are sorted into categories. Plain data, because it is sent to a thread. */
export interface AxisInput {
  source: ValueSource;
  /** Categories that are known before answers are read; others are added when they are found. */
  categories: readonly Category[];
  /** Other values count as answered without a category. */
  isClosed?: boolean;
  /** Bounds of groups of numbers, ascending. */
  edges?: readonly number[];
  /** Dates count by it; default: month. Times always count by hour. */
  unit?: DateUnit;
  /** The field of the request, for violations. */
  path: string;
}

export const mostCategories = 250;

/** Returns the facts that the values are read from. */
export const factsOf = (sources: readonly ValueSource[]): WantedFacts => ({
  elementIds: sources.flatMap((source) => ("elementId" in source ? [source.elementId] : [])),
  fields: sources.flatMap((source) => ("field" in source ? [source.field] : [])),
  language: sources.some((source) => "known" in source && source.known === "language"),
  distributorId: sources.some((source) => "known" in source && source.known === "distributorId"),
  startedAt: false,
});
