import type { GetAggregationData, GetReportData } from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import type { RequestOptions } from "../options.ts";

type Filters = NonNullable<GetAggregationData["query"]>;
type ReportFilters = NonNullable<GetReportData["query"]>;

/** Results of surveys: figures for each question. */
export function resultsOf({ api, sending }: Connection) {
  return {
    get: async (surveyId: string, query: Filters = {}, options?: RequestOptions) =>
      (await api.getAggregation({ path: { surveyId }, query, ...sending(options) })).data.data,
    /** The results as one HTML page. */
    report: async (surveyId: string, query: ReportFilters = {}, options?: RequestOptions): Promise<string> =>
      (await api.getReport({ path: { surveyId }, query, parseAs: "text", ...sending(options) })).data,
  };
}
