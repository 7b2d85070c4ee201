import { respondentsQuery } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond, RenderedData } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { cursorPagination, cursorList } from "../pages.ts";
import { timestampOf } from "../../plugins/responses/timestamps.ts";
import { respondentSchema, respondentText } from "./respondent-view.ts";
import { surveyParams } from "./response-params.ts";
import { fieldFilters } from "./result-filter.ts";

const description = `Lists respondents, including those of tests, in the order in which they started. No respondent is missed or repeated, even while new ones
start. \`field.<name>=<value>\` filters by a hidden field. With \`include=answers\` each has its answers; a page then has fewer respondents if their answers are large. A
page may have fewer items than \`limit\`, even none, while \`hasMore\` is true. \`cursor_next\` is never null, so the end of the list can be polled.`;

/** Current respondents (contract 7.10). */
export function registerListRespondentsRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/response/surveys/:surveyId/respondents",
    {
      config: { scope: "responses:read", errors: ["survey_not_found"] },
      schema: {
        operationId: "listRespondents",
        tags: ["Responses"],
        summary: "List a survey's respondents",
        description,
        params: surveyParams,
        querystring: respondentsQuery,
        response: { 200: cursorList("A page of respondents", respondentSchema) },
      },
    },
    async (request, reply) => {
      const { surveyId } = request.params;
      const { status = "", completed, include, from, to, limit, cursor = "", ...query } = request.query;
      const { distributorId, contactId } = query;
      const withAnswers = include === "answers";
      const page = await context.clients.responses.listRespondents(
        {
          surveyId,
          limit,
          cursor,
          withAnswers,
          status,
          ...(completed !== undefined && { completed }),
          ...(from !== undefined && { from: timestampOf(from) }),
          ...(to !== undefined && { to: timestampOf(to) }),
          ...(distributorId !== undefined && { distributorId }),
          ...(contactId !== undefined && { contactId }),
          fields: fieldFilters(request.query),
        },
        rpcOptions(context, request),
      );
      const rows = page.respondents.map((respondent) => respondentText(respondent, withAnswers));
      return respond(context, reply, {
        data: new RenderedData(`[${rows.join(",")}]`),
        pagination: cursorPagination(page),
      });
    },
  );
}
