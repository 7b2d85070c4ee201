import type { GatewayContext } from "../../context.ts";
import { answer } from "../../plugins/answers/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { given } from "../given.ts";
import { envelope } from "../schemas.ts";
import { documentedCreateSurvey, surveySize } from "./survey-input.ts";
import { surveySchema, surveyView } from "./survey-view.ts";

export function registerCreateSurveyRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/surveys",
    {
      config: {
        scope: "surveys:write",
        idempotentIn: "survey",
        etag: true,
        bodyJudgedBy: "service",
        errors: ["feature_locked", "quota_exceeded"],
      },
      schema: {
        operationId: "createSurvey",
        tags: ["Surveys"],
        summary: "Create a survey",
        description: `The new survey is a draft with one empty page, or with the given questions, all or nothing. ${surveySize}`,
        body: documentedCreateSurvey,
        response: { 201: envelope("The new survey", surveySchema) },
      },
    },
    async (request, reply) => {
      const { surveys } = context.clients;
      const response = await surveys.createSurvey({ bodyJson: request.bodyText! }, rpcOptions(context, request));
      const survey = given(response.survey);
      reply.code(201);
      return answer(context, reply, { data: surveyView(survey), etag: survey.etag });
    },
  );
}
