import type { SurveyDefinition } from "@canvass/questions";
import { computeSeries } from "../../domain/results/tables/series.ts";
import { tabulate } from "../../domain/results/tables/tabulate.ts";
import { aggregateRespondents } from "./aggregate-respondents.ts";
import type { RespondentQuery } from "./matching-respondents.ts";

/** A computation over the matching respondents, in a thread. Inputs and results are plain data. */
export const computations = { aggregation: aggregateRespondents, crosstab: tabulate, series: computeSeries };

export type ComputationName = keyof typeof computations;
export type InputOf<Name extends ComputationName> = Parameters<(typeof computations)[Name]>[1];
export type ResultOf<Name extends ComputationName> = Awaited<ReturnType<(typeof computations)[Name]>>;

/** Plain data, because it is sent to a thread. */
export interface ComputationWork<Name extends ComputationName = ComputationName> {
  name: Name;
  query: RespondentQuery;
  input: InputOf<Name>;
  databaseUrl: string;
}

export interface ComputationHost {
  definition(versionId: string): Promise<SurveyDefinition>;
}
