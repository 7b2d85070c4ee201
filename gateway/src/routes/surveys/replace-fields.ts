import type { GatewayContext } from "../../context.ts";
import { ifMatchOf } from "../../plugins/responses/etag.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope } from "../schemas.ts";
import { documentedFields, fieldsSchema, fieldsView } from "./fields-view.ts";
import { surveyParams } from "./survey-input.ts";

export function registerReplaceFieldsRoute(api: Api, context: GatewayContext): void {
  api.put(
    "/surveys/:surveyId/fields",
    {
      config: {
        scope: "surveys:write",
        idempotent: true,
        ifMatch: "required",
        etag: true,
        errors: ["survey_not_found", "quota_exceeded"],
      },
      schema: {
        operationId: "replaceSurveyFields",
        tags: ["Surveys"],
        summary: "Replace the hidden fields of a survey",
        description:
          "Changes the draft: respondents get them after the next publication. A list that changes nothing keeps the ETag.",
        params: surveyParams,
        body: documentedFields,
        response: { 200: envelope("The hidden fields as they now are", fieldsSchema) },
      },
    },
    async (request, reply) => {
      const change = { ...request.params, ifMatch: ifMatchOf(request), bodyJson: request.bodyText! };
      const replaced = await context.clients.surveys.replaceFields(change, rpcOptions(context, request));
      return respond(context, reply, { data: fieldsView(replaced), etag: replaced.etag });
    },
  );
}
