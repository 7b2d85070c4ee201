import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { given } from "../given.ts";
import { envelope } from "../schemas.ts";
import { documentedOrderElements, pageSchema, pageView } from "./page-view.ts";
import { surveyParams } from "./survey-input.ts";

const description = `Names every element that the page is to have: one of another page moves here, one of this page that is left out is a
fault. A move that leaves logic before the question it asks is refused.`;

export function registerOrderElementsRoute(api: Api, context: GatewayContext): void {
  api.put(
    "/surveys/:surveyId/elements/order",
    {
      config: { scope: "surveys:write", idempotent: true, errors: ["survey_not_found", "quota_exceeded"] },
      schema: {
        operationId: "orderElements",
        tags: ["Surveys"],
        summary: "Order the questions of a page, or move some to it",
        description,
        params: surveyParams,
        body: documentedOrderElements,
        response: { 200: envelope("The page as it now is", pageSchema) },
      },
    },
    async (request, reply) => {
      const order = { ...request.params, bodyJson: request.bodyText! };
      const { page } = await context.clients.surveys.orderElements(order, rpcOptions(context, request));
      return respond(context, reply, { data: pageView(given(page)) });
    },
  );
}
