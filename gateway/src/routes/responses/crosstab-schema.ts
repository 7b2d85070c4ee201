import { Type } from "typebox";
import { named, nullable, words } from "../schemas.ts";
import { basisFields, categoryFields, matched, percent, variableSchema } from "./table-schemas.ts";

const respondents = Type.Integer();
const weighted = Type.Optional(Type.Number({ description: "what weights make of `respondents`" }));
const orNull = <Schema extends object>(schema: Schema) =>
  ({ ...schema, type: ["object", "null"] }) as unknown as Schema;

const total = named("CrosstabTotal", {
  respondents,
  weighted,
  ofTotal: percent("of the respondents counted"),
  byAnswers: Type.Optional(
    named("CrosstabTotalByAnswers", { answers: Type.Number(), ofTotal: percent("of the answers counted") }),
  ),
});

const cell = named("CrosstabCell", {
  respondents,
  weighted,
  ofRow: percent("of the respondents of the row"),
  ofColumn: percent("of the respondents of the column"),
  ofTotal: percent("of the respondents counted"),
  byAnswers: Type.Optional(
    named("CrosstabCellByAnswers", {
      ofRow: percent("of the answers of the row"),
      ofColumn: percent("of the answers of the column"),
      ofTotal: percent("of the answers counted"),
    }),
  ),
});

const chiSquare = named("ChiSquare", {
  value: Type.Number(),
  degreesOfFreedom: Type.Integer(),
  p: Type.Number({ description: "probability of such a value or a larger one if rows and columns are independent" }),
  smallestExpected: Type.Number({ description: "the smallest count that independence leads to" }),
  expectedBelow5: Type.Integer({ description: "cells whose expected count is below 5, where p is rough" }),
});

const weighting = named("Weighting", {
  effectiveSize: Type.Number({ description: "the size of an equally exact sample without weights (Kish)" }),
  iterations: Type.Integer(),
  converged: Type.Boolean({ description: "whether all shares are as their targets" }),
  largestDifference: Type.Number({ description: "between a share and its target, of 1" }),
  smallestWeight: nullable<number>("number"),
  largestWeight: nullable<number>("number"),
  variables: Type.Array(
    named("WeightingVariable", {
      variable: variableSchema("TableVariable"),
      withoutTarget: Type.Integer({ description: "respondents without a value that has a target" }),
      unreached: Type.Array(Type.String(), { description: "targets that nobody has; the others share what they had" }),
    }),
  ),
});

/** A table of one variable or two (contract 7.20). */
export const crosstabSchema = named("Crosstab", {
  ...basisFields,
  percentagesOf: words(["answered"], {
    description: "who were asked and answered, both where there are two variables",
  }),
  rowVariable: variableSchema("TableVariable"),
  columnVariable: orNull(variableSchema("ColumnVariable")),
  matched,
  counted: Type.Integer({ description: "respondents with a value of all variables" }),
  missing: named("CrosstabMissing", {
    rows: Type.Integer({ description: "respondents without a value of the rows only" }),
    columns: Type.Integer({ description: "without one of the columns only" }),
    both: Type.Integer(),
  }),
  weighted: Type.Optional(Type.Number({ description: "what weights make of `counted`" })),
  answers: Type.Optional(
    Type.Number({ description: "where a variable takes several answers: chosen pairs of categories" }),
  ),
  rows: Type.Array(
    named("CrosstabRow", {
      ...categoryFields,
      total,
      cells: Type.Array(orNull(cell), { description: "in the order of `columns`; null: withheld (contract 7.20)" }),
    }),
  ),
  columns: Type.Array(named("CrosstabColumn", { ...categoryFields, total })),
  chiSquare: orNull(chiSquare),
  chiSquareAbsent: Type.Optional(
    words(["one_variable", "several_answers", "withheld", "too_few_categories"], { description: "why there is none" }),
  ),
  weighting: orNull(weighting),
});
