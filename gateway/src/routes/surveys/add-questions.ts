import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond, RenderedData } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { created } from "../location.ts";
import { envelope } from "../schemas.ts";
import { addedQuestionSchema, addedQuestionsJson } from "./added-question-view.ts";
import { documentedAddQuestions, surveyParams, surveySize } from "./survey-input.ts";

export function registerAddQuestionsRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/surveys/:surveyId/questions",
    {
      config: {
        scope: "surveys:write",
        idempotent: true,
        errors: ["survey_not_found", "quota_exceeded"],
      },
      schema: {
        operationId: "addQuestions",
        tags: ["Surveys"],
        summary: "Add questions to a survey",
        description: `All or nothing. Respondents get the questions after the next publication. ${surveySize}`,
        params: surveyParams,
        body: documentedAddQuestions,
        response: { 201: envelope("The added questions in request order", Type.Array(addedQuestionSchema)) },
      },
    },
    async (request, reply) => {
      const addition = { surveyId: request.params.surveyId, bodyJson: request.bodyText! };
      const added = await context.clients.surveys.addQuestions(addition, rpcOptions(context, request));
      created(reply, `/surveys/${addition.surveyId}/elements`);
      return respond(context, reply, { data: new RenderedData(addedQuestionsJson(added)) });
    },
  );
}
