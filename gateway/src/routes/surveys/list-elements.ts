import { defaultLimit, elementsQuery } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond, RenderedData } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { listedElementSchema } from "../elements/element-view.ts";
import { cursorPagination, cursorList, numberedPagination } from "../pages.ts";
import { surveyParams } from "./survey-input.ts";

const description = `With \`include=content\` it has all that a client needs to render the survey; retired entries are left out. A cursor continues after
the last element of the previous page, even if an edit has moved it. Without \`cursor\` the response also has \`total\`, \`page\`, \`limit\` and \`totalPages\`.`;

export function registerListElementsRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId/elements",
    {
      config: { scope: "surveys:read", errors: ["survey_not_found"] },
      schema: {
        operationId: "listElements",
        tags: ["Surveys"],
        summary: "List a survey's questions",
        description,
        params: surveyParams,
        querystring: elementsQuery,
        response: { 200: cursorList("A page of the survey's elements in their order", listedElementSchema) },
      },
    },
    async (request, reply) => {
      const { limit = defaultLimit, page = 1, cursor, include } = request.query;
      const { surveyId } = request.params;
      const { signedCaller, caller } = request.identity!;
      const { elementsJson, total, ...end } = await context.listElements({
        workspaceId: caller.workspaceId,
        caller: signedCaller,
        surveyId,
        limit,
        page,
        ...(cursor !== undefined && { cursor }),
        includeContent: include === "content",
        requestId: request.id,
        traceparent: request.trace?.traceparent,
      });
      return respond(context, reply, {
        data: new RenderedData(elementsJson),
        pagination: {
          ...cursorPagination(end),
          // Services of the former release know pages by number only.
          ...(cursor === undefined && { ...numberedPagination({ page, limit }, total), hasMore: page * limit < total }),
        },
      });
    },
  );
}
