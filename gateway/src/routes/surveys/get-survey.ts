import type { Survey } from "@canvass/proto/survey";
import type { GatewayContext } from "../../context.ts";
import { respond, RenderedData } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { envelope } from "../schemas.ts";
import { surveyParams } from "./survey-input.ts";
import { surveySchema, surveyView } from "./survey-view.ts";

// Equal reads share a message, which is cached while the survey does not change. So it is rendered once.
const rendered = new WeakMap<Survey, RenderedData>();

function renderedView(survey: Survey): RenderedData {
  let data = rendered.get(survey);
  if (!data) rendered.set(survey, (data = new RenderedData(JSON.stringify(surveyView(survey)))));
  return data;
}

export function registerGetSurveyRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId",
    {
      config: { scope: "surveys:read", etag: true, errors: ["survey_not_found"] },
      schema: {
        operationId: "getSurvey",
        tags: ["Surveys"],
        summary: "Get a survey",
        params: surveyParams,
        response: { 200: envelope("The survey with its settings", surveySchema) },
      },
    },
    async (request, reply) => {
      const { caller, signedCaller } = request.identity!;
      const survey = await context.readSurvey({
        caller: signedCaller,
        workspaceId: caller.workspaceId,
        surveyId: request.params.surveyId,
        requestId: request.id,
        traceparent: request.trace?.traceparent,
      });
      return respond(context, reply, { data: renderedView(survey), etag: survey.etag });
    },
  );
}
