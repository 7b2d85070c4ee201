import type { ChiSquare } from "./chi-square.ts";

/**
 * Figures are of respondents who have a value of both variables. Shares are per cent. Null: withheld or without base.
 */
export interface Crosstab {
  /** Respondents that match the filter. */
  matched: number;
  /** Respondents with a value of both variables, and those without one of them. */
  counted: number;
  missing: { rows: number; columns: number; both: number };
  rows: CrosstabRow[];
  columns: CrosstabColumn[];
  /** Whether respondents are in several rows, or columns. Older versions may take several answers. */
  isMultiple: { rows: boolean; columns: boolean };
  /** What weights make of `counted`. */
  weighted?: number;
  /** Chosen pairs of categories, where one of the variables takes several. */
  answers?: number;
  chiSquare: ChiSquare | null;
  /** Why there is no test. */
  chiSquareAbsent?: ChiSquareAbsence;
  weighting?: CrosstabWeighting;
}

export const chiSquareAbsences = ["one_variable", "several_answers", "withheld", "too_few_categories"] as const;
export type ChiSquareAbsence = (typeof chiSquareAbsences)[number];

export interface ShownCategory {
  id: string;
  label: string;
  code?: string;
  from?: number | null;
  to?: number | null;
}

export interface CrosstabMargin {
  respondents: number;
  weighted?: number;
  ofTotal: number | null;
  byAnswers?: { answers: number; ofTotal: number | null };
}

export interface CrosstabCell {
  respondents: number;
  weighted?: number;
  ofRow: number | null;
  ofColumn: number | null;
  ofTotal: number | null;
  byAnswers?: { ofRow: number | null; ofColumn: number | null; ofTotal: number | null };
}

export type CrosstabColumn = ShownCategory & { total: CrosstabMargin };
export type CrosstabRow = CrosstabColumn & { cells: (CrosstabCell | null)[] };

export interface CrosstabWeighting {
  /** The size of an equally exact sample without weights. */
  effectiveSize: number;
  iterations: number;
  converged: boolean;
  largestDifference: number;
  /** Null if no respondents are counted. */
  smallestWeight: number | null;
  largestWeight: number | null;
  variables: { withoutTarget: number; unreached: string[] }[];
}
