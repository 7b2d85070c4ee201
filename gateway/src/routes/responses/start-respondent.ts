import { startRespondentBody } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { created } from "../location.ts";
import { envelope, withExamples } from "../schemas.ts";
import { startedRespondentSchema, startedRespondentView } from "./respondent-view.ts";
import { surveyParams } from "./response-params.ts";

const body = withExamples(startRespondentBody, {
  withFields: {
    summary: "With values of hidden fields",
    value: { language: "en", fields: { utm_source: "newsletter" } },
  },
  withMetadata: { summary: "With your own metadata", value: { language: "en", metadata: { table: 12 } } },
});

export function registerStartRespondentRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/response/surveys/:surveyId/respondents",
    {
      config: {
        scope: "responses:write",
        idempotent: true,
        bodyOptional: true,
        errors: ["survey_not_found", "survey_not_collecting"],
      },
      schema: {
        operationId: "startRespondent",
        tags: ["Responses"],
        summary: "Start a respondent",
        description: "The respondent stays on the version that is published now.",
        params: surveyParams,
        body,
        response: { 201: envelope("The new respondent", startedRespondentSchema) },
      },
    },
    async (request, reply) => {
      const { surveyId } = request.params;
      const { respondent, ignored } = await context.clients.responses.startRespondent(
        { surveyId, country: context.countryOf(request), bodyJson: request.bodyText ?? "{}" },
        rpcOptions(context, request),
      );
      const data = startedRespondentView(requireMessage(respondent), ignored);
      created(reply, `/response/surveys/${surveyId}/respondents/${data.respondentId}`);
      return respond(context, reply, { data });
    },
  );
}
