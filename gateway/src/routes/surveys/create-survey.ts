import type { GatewayContext } from "../../context.ts";
import { respond, RenderedData } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { created } from "../location.ts";
import { envelope } from "../schemas.ts";
import { documentedCreateSurvey, surveySize } from "./survey-input.ts";
import { addedQuestionsJson } from "./added-question-view.ts";
import { createdSurveySchema, surveyView } from "./survey-view.ts";

export function registerCreateSurveyRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/surveys",
    {
      config: {
        scope: "surveys:write",
        idempotent: true,
        etag: true,
        errors: ["feature_locked", "quota_exceeded"],
      },
      schema: {
        operationId: "createSurvey",
        tags: ["Surveys"],
        summary: "Create a survey",
        description: `The new survey is a draft with one empty page, or with the given questions, all or nothing. ${surveySize}`,
        body: documentedCreateSurvey,
        response: { 201: envelope("The new survey and its questions in request order", createdSurveySchema) },
      },
    },
    async (request, reply) => {
      const { surveys } = context.clients;
      const response = await surveys.createSurvey({ bodyJson: request.bodyText! }, rpcOptions(context, request));
      const survey = requireMessage(response.survey);
      const view = JSON.stringify(surveyView(survey));
      created(reply, `/surveys/${survey.surveyId}`);
      const data = new RenderedData(`${view.slice(0, -1)},"questions":${addedQuestionsJson(response)}}`);
      return respond(context, reply, { data, etag: survey.etag });
    },
  );
}
