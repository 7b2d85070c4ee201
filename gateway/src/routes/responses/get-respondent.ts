import { respondentQuery } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond, RenderedData } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope } from "../schemas.ts";
import { respondentSchema, respondentText } from "./respondent-view.ts";
import { respondentParams } from "./response-params.ts";

export function registerGetRespondentRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/response/surveys/:surveyId/respondents/:respondentId",
    {
      config: { scope: "responses:read", errors: ["survey_not_found", "respondent_not_found"] },
      schema: {
        operationId: "getRespondent",
        tags: ["Responses"],
        summary: "Get a respondent",
        params: respondentParams,
        querystring: respondentQuery,
        response: { 200: envelope("The respondent and how far it is", respondentSchema) },
      },
    },
    async (request, reply) => {
      const { responses } = context.clients;
      const withAnswers = request.query.include === "answers";
      const asked = { ...request.params, withAnswers };
      const { respondent } = await responses.getRespondent(asked, rpcOptions(context, request));
      return respond(context, reply, {
        data: new RenderedData(respondentText(requireMessage(respondent), withAnswers)),
      });
    },
  );
}
