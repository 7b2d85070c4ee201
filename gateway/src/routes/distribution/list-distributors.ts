import { distributorsQuery } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { cursorPagination, cursorList } from "../pages.ts";
import { surveyParams } from "../surveys/survey-input.ts";
import { distributorSchema, distributorView } from "./distributor-view.ts";
import { linkUrlBuilder } from "./link-url-builder.ts";

export function registerListDistributorsRoute(api: Api, context: GatewayContext): void {
  const urlOf = linkUrlBuilder(context);
  api.get(
    "/distribution/surveys/:surveyId",
    {
      config: { scope: "distribution:read", errors: ["survey_not_found"] },
      schema: {
        operationId: "listDistributors",
        tags: ["Distribution"],
        summary: "List a survey's distributors",
        description: "Newest first.",
        params: surveyParams,
        querystring: distributorsQuery,
        response: { 200: cursorList("A page of distributors", distributorSchema) },
      },
    },
    async (request, reply) => {
      const { limit, cursor = "" } = request.query;
      const wanted = { surveyId: request.params.surveyId, limit, cursor };
      const page = await context.clients.distributors.listDistributors(wanted, rpcOptions(context, request));
      const data = page.distributors.map((distributor) => distributorView(distributor, urlOf));
      return respond(context, reply, { data, pagination: cursorPagination(page) });
    },
  );
}
