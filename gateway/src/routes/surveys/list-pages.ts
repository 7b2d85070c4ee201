import { mapInSlices } from "@canvass/fairness";
import { cursorList, wholePagination } from "../pages.ts";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { pageSchema, pageView } from "./page-view.ts";
import { surveyParams } from "./survey-input.ts";

export function registerListPagesRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId/pages",
    {
      config: { scope: "surveys:read", errors: ["survey_not_found"] },
      schema: {
        operationId: "listPages",
        tags: ["Surveys"],
        summary: "List a survey's pages",
        description: "All pages of the draft in order, at most 1,000, with their logic and the ids of their elements.",
        params: surveyParams,
        response: { 200: cursorList("The pages of the draft", pageSchema) },
      },
    },
    async (request, reply) => {
      const { pages } = await context.clients.surveys.listPages(request.params, rpcOptions(context, request));
      return respond(context, reply, { data: await mapInSlices(pages, pageView), pagination: wholePagination });
    },
  );
}
