import { elementsQuery } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond, RenderedData } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { listedElementSchema } from "../elements/element-view.ts";
import { numberedEnd, pageList } from "../pages.ts";
import { surveyParams } from "./survey-input.ts";

export function registerListElementsRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId/elements",
    {
      config: { scope: "surveys:read", errors: ["survey_not_found"] },
      schema: {
        operationId: "listElements",
        tags: ["Surveys"],
        summary: "List a survey's questions",
        description:
          "With `include=content` a client can draw the survey from it; entries that were retired are left out.",
        params: surveyParams,
        querystring: elementsQuery,
        response: { 200: pageList("A page of the survey's elements in their order", listedElementSchema) },
      },
    },
    async (request, reply) => {
      const { limit, page, include } = request.query;
      const { surveyId } = request.params;
      const { signedCaller, caller } = request.identity!;
      const { elementsJson, total } = await context.listElements({
        workspaceId: caller.workspaceId,
        caller: signedCaller,
        surveyId,
        limit,
        page,
        includeContent: include === "content",
        requestId: request.id,
        traceparent: request.trace?.traceparent,
      });
      return respond(context, reply, {
        data: new RenderedData(elementsJson),
        pagination: numberedEnd({ page, limit }, total),
      });
    },
  );
}
