import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope } from "../schemas.ts";
import { documentedOrderElements, pageSchema, pageView } from "./page-view.ts";
import { surveyParams } from "./survey-input.ts";

const description = `Takes the ids of all elements that the page is to have. An element of another page moves here; leaving out an element of this page is a
violation. A move is refused if logic would then depend on a later question.`;

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
        response: { 200: envelope("The updated page", pageSchema) },
      },
    },
    async (request, reply) => {
      const order = { ...request.params, bodyJson: request.bodyText! };
      const { page } = await context.clients.surveys.orderElements(order, rpcOptions(context, request));
      return respond(context, reply, { data: pageView(requireMessage(page)) });
    },
  );
}
