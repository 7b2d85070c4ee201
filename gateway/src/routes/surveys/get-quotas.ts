import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope } from "../schemas.ts";
import { countedQuotasSchema, countedQuotasView } from "./quotas-view.ts";
import { surveyParams } from "./survey-input.ts";

export function registerGetQuotasRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId/quotas",
    {
      config: { scope: "surveys:read", errors: ["survey_not_found"] },
      schema: {
        operationId: "getSurveyQuotas",
        tags: ["Surveys"],
        summary: "Get a survey's quotas and their counts",
        description: "Returns the quotas of the draft. A respondent is subject to those of its version.",
        params: surveyParams,
        response: { 200: envelope("The quotas with their counts", countedQuotasSchema) },
      },
    },
    async (request, reply) => {
      const { surveys, responses } = context.clients;
      const [found, { counts }] = await Promise.all([
        surveys.getQuotas(request.params, rpcOptions(context, request)),
        responses.getQuotaCounts(request.params, rpcOptions(context, request)),
      ]);
      return respond(context, reply, { data: countedQuotasView(found, counts) });
    },
  );
}
