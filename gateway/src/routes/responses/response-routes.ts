import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { registerComputeSeriesRoute } from "./compute-series.ts";
import { registerCountCrosstabRoute } from "./count-crosstab.ts";
import { registerEraseRespondentRoute } from "./erase-respondent.ts";
import { registerGetAggregationRoute } from "./get-aggregation.ts";
import { registerGetLiveSummaryRoute } from "./get-live-summary.ts";
import { registerGetReportRoute } from "./get-report.ts";
import { registerGetRespondentRoute } from "./get-respondent.ts";
import { registerResponseImportRoutes } from "./imports/import-routes.ts";
import { registerListAnswersRoute } from "./list-answers.ts";
import { registerListRespondentsRoute } from "./list-respondents.ts";
import { registerStartRespondentRoute } from "./start-respondent.ts";
import { registerStreamAnswersRoute } from "./stream-answers.ts";
import { registerSubmitBatchRoute } from "./submit-batch.ts";
import { registerSubmitAnswersRoute } from "./submit-answers.ts";

/** Answers and results (contract 7). */
export function registerResponseRoutes(api: Api, context: GatewayContext): void {
  registerStartRespondentRoute(api, context);
  registerGetRespondentRoute(api, context);
  registerEraseRespondentRoute(api, context);
  registerListRespondentsRoute(api, context);
  registerListAnswersRoute(api, context);
  registerStreamAnswersRoute(api, context);
  registerSubmitAnswersRoute(api, context);
  registerSubmitBatchRoute(api, context);
  registerResponseImportRoutes(api, context);
  registerGetAggregationRoute(api, context);
  registerCountCrosstabRoute(api, context);
  registerComputeSeriesRoute(api, context);
  registerGetLiveSummaryRoute(api, context);
  registerGetReportRoute(api, context);
}
