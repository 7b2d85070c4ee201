import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope } from "../schemas.ts";
import { fieldsSchema, fieldsView } from "./fields-view.ts";
import { surveyParams } from "./survey-input.ts";

export function registerGetFieldsRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId/fields",
    {
      config: { scope: "surveys:read", etag: true, errors: ["survey_not_found"] },
      schema: {
        operationId: "getSurveyFields",
        tags: ["Surveys"],
        summary: "Get the hidden fields of a survey",
        description: "Returns those of the draft. The ETag is that of the survey.",
        params: surveyParams,
        response: { 200: envelope("The hidden fields", fieldsSchema) },
      },
    },
    async (request, reply) => {
      const found = await context.clients.surveys.getFields(request.params, rpcOptions(context, request));
      return respond(context, reply, { data: fieldsView(found), etag: found.etag });
    },
  );
}
