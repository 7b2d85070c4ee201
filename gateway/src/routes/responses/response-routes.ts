import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { getAggregation } from "./get-aggregation.ts";
import { getRespondent } from "./get-respondent.ts";
import { startRespondent } from "./start-respondent.ts";
import { submitAnswers } from "./submit-answers.ts";

/** Answers and results (contract 7). */
export function responseRoutes(api: Api, context: GatewayContext): void {
  startRespondent(api, context);
  getRespondent(api, context);
  submitAnswers(api, context);
  getAggregation(api, context);
}
