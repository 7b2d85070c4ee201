/** Tables and series as the response service computes them (contract 7.20, 7.21), as far as reports draw them. */

export interface NamedEntry {
  label: string;
}

export interface ShownVariable {
  text: string;
  /** Name of a built-in variable, such as `language`. */
  known?: string;
  part?: NamedEntry[];
  item?: NamedEntry;
  isMultiple: boolean;
}

export interface Respondents {
  respondents: number;
  weighted?: number;
}

export interface CrosstabRow extends NamedEntry {
  total: Respondents;
  /** Null: withheld. */
  cells: (Respondents | null)[];
}

export interface Crosstab {
  rowVariable: ShownVariable;
  columnVariable: ShownVariable | null;
  matched: number;
  counted: number;
  weighted?: number;
  rows: CrosstabRow[];
  columns: (NamedEntry & { total: Respondents })[];
  chiSquare: { value: number; degreesOfFreedom: number; p: number; expectedBelow5: number } | null;
  weighting: {
    effectiveSize: number;
    converged: boolean;
    variables: { variable: ShownVariable; withoutTarget: number; unreached: string[] }[];
  } | null;
}

export interface SeriesPoint {
  from: string;
  respondents: number;
  value: number | null;
  isWithheld?: boolean;
  promoters?: number;
  passives?: number;
  detractors?: number;
}

export interface Series {
  variable: ShownVariable;
  by: "day" | "week" | "month";
  timeZone: string;
  measure: "nps" | "mean" | "share";
  categories?: NamedEntry[];
  counted: number;
  missing: number;
  value: number | null;
  points: SeriesPoint[];
}

export type ComputedTable =
  | { kind: "crosstab"; number: number; crosstab: Crosstab }
  | { kind: "series"; number: number; series: Series };
