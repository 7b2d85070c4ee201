import type { GatewayContext } from "../../context.ts";
import { ifMatchOf } from "../../plugins/responses/etag.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope } from "../schemas.ts";
import { documentedQuotas, quotasSchema, quotasView } from "./quotas-view.ts";
import { surveyParams } from "./survey-input.ts";

export function registerReplaceQuotasRoute(api: Api, context: GatewayContext): void {
  api.put(
    "/surveys/:surveyId/quotas",
    {
      config: {
        scope: "surveys:write",
        idempotent: true,
        ifMatch: "required",
        etag: true,
        errors: ["survey_not_found", "quota_exceeded"],
      },
      schema: {
        operationId: "replaceSurveyQuotas",
        tags: ["Surveys"],
        summary: "Replace the quotas of a survey",
        description:
          "Changes the draft: respondents get them after the next publication. A list that changes nothing keeps the ETag.",
        params: surveyParams,
        body: documentedQuotas,
        response: { 200: envelope("The quotas as they now are", quotasSchema) },
      },
    },
    async (request, reply) => {
      const change = { ...request.params, ifMatch: ifMatchOf(request), bodyJson: request.bodyText! };
      const replaced = await context.clients.surveys.replaceQuotas(change, rpcOptions(context, request));
      return respond(context, reply, { data: quotasView(replaced), etag: replaced.etag });
    },
  );
}
