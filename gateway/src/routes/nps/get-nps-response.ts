import { npsResponseQuery } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { elementParams } from "../elements/element-input.ts";
import { envelope } from "../schemas.ts";
import { isoTimeOrNull } from "../../plugins/responses/timestamps.ts";
import { npsResponseSchema, singleAnswerLimits } from "./nps-response-view.ts";
import { requireNps } from "./require-nps.ts";

export function registerGetNpsResponseRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/nps/:elementId/response",
    {
      config: {
        scope: "responses:read",
        errors: ["element_not_found", "element_retired", "respondent_not_found"],
      },
      schema: {
        operationId: "getNpsAnswer",
        tags: ["Responses"],
        summary: "Get a respondent's score",
        description: singleAnswerLimits,
        params: elementParams,
        querystring: npsResponseQuery,
        response: { 200: envelope("The current answer", npsResponseSchema) },
      },
    },
    async (request, reply) => {
      const { elementId } = request.params;
      const { respondentId } = request.query;
      const { surveyId, name } = await requireNps(context, request, elementId);
      const wanted = { surveyId, respondentId, elementId };
      const found = await context.clients.responses.getAnswer(wanted, rpcOptions(context, request));
      const { valueJson = "null", metaJson = "", submittedAt } = found.answer ?? {};
      const score = JSON.parse(valueJson) as unknown;
      const { comment } = JSON.parse(metaJson || "{}") as { comment?: unknown };
      const data = {
        elementId,
        ...(name && { name }),
        respondentId,
        score: typeof score === "number" ? score : null,
        // Callers control `meta`: an ordinary submission may put anything there.
        comment: typeof comment === "string" ? comment : null,
        submittedAt: isoTimeOrNull(submittedAt),
      };
      return respond(context, reply, { data });
    },
  );
}
