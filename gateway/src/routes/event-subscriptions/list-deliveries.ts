import { deliveriesQuery } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { cursorPagination, cursorList } from "../pages.ts";
import { deliverySchema, deliveryView } from "./delivery-view.ts";
import { subscriptionParams } from "./subscription-input.ts";

export function registerListDeliveriesRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/event-subscriptions/:subscriptionId/deliveries",
    {
      config: {
        scope: "events:read",
        limit: "listDeliveries",
        errors: ["subscription_not_found", "subscription_is_pull"],
      },
      schema: {
        operationId: "listDeliveries",
        tags: ["Events"],
        summary: "List a webhook's deliveries",
        params: subscriptionParams,
        querystring: deliveriesQuery,
        response: { 200: cursorList("A page of deliveries, newest first, with their attempts", deliverySchema) },
      },
    },
    async (request, reply) => {
      const { subscriptionId } = request.params;
      const { status = "", limit, cursor = "" } = request.query;
      const page = await context.clients.deliveries.listDeliveries(
        { subscriptionId, status, limit, cursor },
        rpcOptions(context, request),
      );
      return respond(context, reply, { data: page.deliveries.map(deliveryView), pagination: cursorPagination(page) });
    },
  );
}
