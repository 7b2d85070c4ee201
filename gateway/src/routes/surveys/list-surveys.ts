import { surveysQuery } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { cursorPagination, cursorList } from "../pages.ts";
import { surveySchema, surveyView } from "./survey-view.ts";

export function registerListSurveysRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys",
    {
      config: { scope: "surveys:read" },
      schema: {
        operationId: "listSurveys",
        tags: ["Surveys"],
        summary: "List surveys",
        querystring: surveysQuery,
        response: { 200: cursorList("A page of surveys", surveySchema) },
      },
    },
    async (request, reply) => {
      const { limit, cursor = "", active, q = "", sort, includeTotal } = request.query;
      const page = await context.clients.surveys.listSurveys(
        { limit, cursor, query: q, sort, includeTotal, ...(active !== undefined && { active: active === 1 }) },
        rpcOptions(context, request),
      );
      return respond(context, reply, { data: page.surveys.map(surveyView), pagination: cursorPagination(page) });
    },
  );
}
