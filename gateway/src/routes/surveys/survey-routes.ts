import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { addQuestions } from "./add-questions.ts";
import { createSurvey } from "./create-survey.ts";
import { getSurvey } from "./get-survey.ts";
import { listElements } from "./list-elements.ts";
import { listSurveys } from "./list-surveys.ts";
import { publishSurvey } from "./publish-survey.ts";
import { updateSurvey } from "./update-survey.ts";

/** Surveys and their questions (contract 6). */
export function surveyRoutes(api: Api, context: GatewayContext): void {
  listSurveys(api, context);
  createSurvey(api, context);
  getSurvey(api, context);
  updateSurvey(api, context);
  listElements(api, context);
  addQuestions(api, context);
  publishSurvey(api, context);
}
