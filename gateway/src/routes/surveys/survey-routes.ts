import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { registerAddQuestionsRoute } from "./add-questions.ts";
import { registerCreateSurveyRoute } from "./create-survey.ts";
import { registerGetSurveyRoute } from "./get-survey.ts";
import { registerListElementsRoute } from "./list-elements.ts";
import { registerListSurveysRoute } from "./list-surveys.ts";
import { registerPublishSurveyRoute } from "./publish-survey.ts";
import { registerUpdateSurveyRoute } from "./update-survey.ts";

/** Surveys and their questions (contract 6). */
export function registerSurveyRoutes(api: Api, context: GatewayContext): void {
  registerListSurveysRoute(api, context);
  registerCreateSurveyRoute(api, context);
  registerGetSurveyRoute(api, context);
  registerUpdateSurveyRoute(api, context);
  registerListElementsRoute(api, context);
  registerAddQuestionsRoute(api, context);
  registerPublishSurveyRoute(api, context);
}
