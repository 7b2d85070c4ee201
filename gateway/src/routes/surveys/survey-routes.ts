import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { registerAddQuestionsRoute } from "./add-questions.ts";
import { registerCopySurveyRoute } from "./copy-survey.ts";
import { registerCreateSurveyRoute } from "./create-survey.ts";
import { registerGetFieldsRoute } from "./get-fields.ts";
import { registerGetSurveyRoute } from "./get-survey.ts";
import { registerListElementsRoute } from "./list-elements.ts";
import { registerListPagesRoute } from "./list-pages.ts";
import { registerListSurveysRoute } from "./list-surveys.ts";
import { registerOrderElementsRoute } from "./order-elements.ts";
import { registerPublishSurveyRoute } from "./publish-survey.ts";
import { registerReplaceFieldsRoute } from "./replace-fields.ts";
import { registerGetQuotasRoute } from "./get-quotas.ts";
import { registerReplaceQuotasRoute } from "./replace-quotas.ts";
import { registerUpdatePageRoute } from "./update-page.ts";
import { registerUpdateSurveyRoute } from "./update-survey.ts";

/** Surveys and their questions (contract 6). */
export function registerSurveyRoutes(api: Api, context: GatewayContext): void {
  registerListSurveysRoute(api, context);
  registerCreateSurveyRoute(api, context);
  registerCopySurveyRoute(api, context);
  registerGetSurveyRoute(api, context);
  registerUpdateSurveyRoute(api, context);
  registerListElementsRoute(api, context);
  registerAddQuestionsRoute(api, context);
  registerOrderElementsRoute(api, context);
  registerListPagesRoute(api, context);
  registerUpdatePageRoute(api, context);
  registerGetFieldsRoute(api, context);
  registerReplaceFieldsRoute(api, context);
  registerGetQuotasRoute(api, context);
  registerReplaceQuotasRoute(api, context);
  registerPublishSurveyRoute(api, context);
}
