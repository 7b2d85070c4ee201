import type {
  ComputeSeriesData,
  CountCrosstabData,
  GetAggregationData,
  GetReportData,
} from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import type { RequestOptions } from "../options.ts";

type Filters = NonNullable<GetAggregationData["query"]>;
type ReportFilters = NonNullable<GetReportData["query"]>;

/** Results of surveys: figures for each question. */
export function resultsOf({ api, sending }: Connection) {
  return {
    get: async (surveyId: string, query: Filters = {}, options?: RequestOptions) =>
      (await api.getAggregation({ path: { surveyId }, query, ...sending(options) })).data.data,
    /** Counts by one question or two, also weighted. */
    crosstab: async (surveyId: string, body: CountCrosstabData["body"], options?: RequestOptions) =>
      (await api.countCrosstab({ path: { surveyId }, body, ...sending(options) })).data.data,
    /** NPS, a mean or a share over time. */
    series: async (surveyId: string, body: ComputeSeriesData["body"], options?: RequestOptions) =>
      (await api.computeSeries({ path: { surveyId }, body, ...sending(options) })).data.data,
    /** The results as one HTML page. */
    report: async (surveyId: string, query: ReportFilters = {}, options?: RequestOptions): Promise<string> =>
      (await api.getReport({ path: { surveyId }, query, parseAs: "text", ...sending(options) })).data,
  };
}
