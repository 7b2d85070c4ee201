import type { Violation } from "@canvass/inputs";
import type { CrosstabBody, SurveyDefinition } from "@canvass/questions";
import { readVariable, type ShownVariable } from "./read-variable.ts";
import { readWeights } from "./read-weights.ts";
import type { CrosstabInput } from "./tabulate.ts";

export interface ReadCrosstab {
  input: CrosstabInput;
  rows: ShownVariable;
  columns: ShownVariable | null;
  weights: ShownVariable[];
}

/** Reads the variables of a crosstab by the version that collects. Adds all violations; undefined if there are any. */
export function readCrosstab(
  { rows, columns, weights = [] }: CrosstabBody,
  definition: SurveyDefinition,
  violations: Violation[],
): ReadCrosstab | undefined {
  const before = violations.length;
  const inRows = readVariable(rows, "rows", definition, violations);
  const inColumns = columns && readVariable(columns, "columns", definition, violations);
  const weighting = readWeights(weights, definition, violations);
  if (!inRows || violations.length > before) return undefined;
  return {
    input: {
      rows: inRows.axis,
      columns: inColumns?.axis ?? null,
      isMultiple: inRows.shown.isMultiple || (inColumns?.shown.isMultiple ?? false),
      weights: weighting.map(({ input }) => input),
    },
    rows: inRows.shown,
    columns: inColumns?.shown ?? null,
    weights: weighting.map(({ shown }) => shown),
  };
}
