import { Type } from "typebox";
import { named, nullable, words } from "../schemas.ts";
import { basisFields, categoryFields, matched, percent, variableSchema } from "./table-schemas.ts";

const respondents = Type.Integer();
const weighted = Type.Optional(Type.Number({ description: "weighted `respondents`" }));
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
  p: Type.Number({ description: "probability of this or a larger value if rows and columns are independent" }),
  smallestExpected: Type.Number({ description: "the smallest expected count" }),
  expectedBelow5: Type.Integer({ description: "cells whose expected count is below 5, which make p imprecise" }),
});

const weighting = named("Weighting", {
  effectiveSize: Type.Number({ description: "effective sample size (Kish)" }),
  iterations: Type.Integer(),
  converged: Type.Boolean({ description: "whether all shares match their targets" }),
  largestDifference: Type.Number({ description: "largest difference between a share and its target, 0 to 1" }),
  smallestWeight: nullable<number>("number"),
  largestWeight: nullable<number>("number"),
  variables: Type.Array(
    named("WeightingVariable", {
      variable: variableSchema("TableVariable"),
      withoutTarget: Type.Integer({ description: "respondents without a value that has a target" }),
      unreached: Type.Array(Type.String(), {
        description: "targets without respondents; the others share their weight",
      }),
    }),
  ),
});

/** A table of one variable or two (contract 7.20). */
export const crosstabSchema = named("Crosstab", {
  ...basisFields,
  percentagesOf: words(["answered"], {
    description: "respondents who were asked and answered, for both variables if there are two",
  }),
  rowVariable: variableSchema("TableVariable"),
  columnVariable: orNull(variableSchema("ColumnVariable")),
  matched,
  counted: Type.Integer({ description: "respondents with a value for all variables" }),
  missing: named("CrosstabMissing", {
    rows: Type.Integer({ description: "respondents without a value for the rows only" }),
    columns: Type.Integer({ description: "respondents without a value for the columns only" }),
    both: Type.Integer(),
  }),
  weighted: Type.Optional(Type.Number({ description: "weighted `counted`" })),
  answers: Type.Optional(
    Type.Number({ description: "if a variable takes several answers: chosen pairs of categories" }),
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
    words(["one_variable", "several_answers", "withheld", "too_few_categories"], { description: "why it is missing" }),
  ),
  weighting: orNull(weighting),
});
