import type { GatewayContext } from "../../context.ts";
import { ifMatchOf } from "../../plugins/responses/etag.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope } from "../schemas.ts";
import { surveyParams, documentedUpdateSurvey } from "./survey-input.ts";
import { surveySchema, surveyView } from "./survey-view.ts";

export function registerUpdateSurveyRoute(api: Api, context: GatewayContext): void {
  api.patch(
    "/surveys/:surveyId",
    {
      config: {
        scope: "surveys:write",
        idempotent: true,
        ifMatch: "required",
        etag: true,
        errors: ["invalid_request", "survey_not_found", "feature_locked", "quota_exceeded"],
      },
      schema: {
        operationId: "updateSurvey",
        tags: ["Surveys"],
        summary: "Change a survey",
        description: "Only given fields and settings change. The whole patch applies or nothing does.",
        params: surveyParams,
        body: documentedUpdateSurvey,
        response: { 200: envelope("The updated survey", surveySchema) },
      },
    },
    async (request, reply) => {
      const { surveyId } = request.params;
      const change = { surveyId, ifMatch: ifMatchOf(request), bodyJson: request.bodyText! };
      const response = await context.clients.surveys.updateSurvey(change, rpcOptions(context, request));
      const survey = requireMessage(response.survey);
      return respond(context, reply, { data: surveyView(survey), etag: survey.etag });
    },
  );
}
