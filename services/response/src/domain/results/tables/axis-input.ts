import type { Category, dateUnits, knownVariables } from "@canvass/questions";

/** Where the value of a respondent stands. Answers are of one element and item of a loop, at a place by ids. */
export type ValueSource =
  | { elementId: string; itemId: string | null; place: readonly string[] }
  | { field: string }
  | { known: (typeof knownVariables)[number] };

export type DateUnit = (typeof dateUnits)[number];

/** How respondents are sorted into categories. Plain data, because it is sent to a thread. */
export interface AxisInput {
  source: ValueSource;
  /** Those that are known before answers are read; others join as they are found. */
  categories: readonly Category[];
  /** Other values count as answered without a category. */
  isClosed?: boolean;
  /** Bounds of groups of numbers, ascending. */
  edges?: readonly number[];
  /** Dates and times count by it. */
  unit?: DateUnit;
  /** The field of the request, for violations. */
  path: string;
}

export const mostCategories = 250;

/** The elements whose answers are read. */
export const elementIdsOf = (sources: readonly ValueSource[]): string[] => [
  ...new Set(sources.flatMap((source) => ("elementId" in source ? [source.elementId] : []))),
];
