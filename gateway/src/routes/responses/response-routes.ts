import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { getAggregation } from "./get-aggregation.ts";
import { getRespondent } from "./get-respondent.ts";
import { startRespondent } from "./start-respondent.ts";
import { submitAnswers } from "./submit-answers.ts";

/** Spec 4.5; api-decisions 4. */
export function responseRoutes(api: Api, context: GatewayContext): void {
  startRespondent(api, context);
  getRespondent(api, context);
  submitAnswers(api, context);
  getAggregation(api, context);
}
