import type { ResponseContext } from "../../context.ts";
import { factsOf } from "../../domain/results/tables/axis-input.ts";
import type { ReadCrosstab } from "../../domain/results/tables/read-crosstab.ts";
import type { ReadSeries } from "../../domain/results/tables/read-series.ts";
import type { ShownVariable } from "../../domain/results/tables/read-variable.ts";
import type { RespondentQuery } from "../computations/matching-respondents.ts";

type Computing = Pick<ResponseContext, "computations">;
/** Whose answers count. */
export type CountedRespondents = Omit<RespondentQuery, "wanted" | "allAnswers">;

/** Counts a crosstab, as responses show it. Throws the errors of `Computations.run`. */
export async function computeCrosstab(
  { computations }: Computing,
  counted: CountedRespondents,
  { input, ...shown }: ReadCrosstab,
  signal: AbortSignal,
): Promise<object> {
  const { rows, columns, weights } = input;
  const sources = [rows, ...(columns ? [columns] : []), ...weights.map(({ axis }) => axis)].map(({ source }) => source);
  const query = { ...counted, wanted: factsOf(sources), allAnswers: false };
  const { weighting, isMultiple, ...crosstab } = await computations.run("crosstab", query, input, signal);
  const variables = weighting?.variables.map((figures, index) => ({ variable: shown.weights[index], ...figures }));
  return {
    surveyId: counted.surveyId,
    basis: "answers",
    percentagesOf: "answered",
    rowVariable: withMultiple(shown.rows, isMultiple.rows),
    columnVariable: shown.columns && withMultiple(shown.columns, isMultiple.columns),
    ...crosstab,
    weighting: weighting ? { ...weighting, variables } : null,
  };
}

/** Older versions may take several answers, too. */
const withMultiple = (variable: ShownVariable, isMultiple: boolean): ShownVariable =>
  isMultiple ? { ...variable, isMultiple } : variable;

/** Computes a series, as responses show it. Throws the errors of `Computations.run`. */
export async function computeSeries(
  { computations }: Computing,
  counted: CountedRespondents,
  { input, variable, categories }: ReadSeries,
  signal: AbortSignal,
): Promise<object> {
  const { by, measure, timeZone, source } = input;
  const query = { ...counted, wanted: { ...factsOf([source]), startedAt: true }, allAnswers: false };
  const series = await computations.run("series", query, input, signal);
  const about = { surveyId: counted.surveyId, basis: "answers", variable, by, timeZone, measure };
  return { ...about, ...(measure === "share" && { categories }), ...series };
}
