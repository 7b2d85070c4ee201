import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope } from "../schemas.ts";
import { subscriptionParams } from "./subscription-input.ts";
import { subscriptionSchema, subscriptionView } from "./subscription-view.ts";

export function registerGetSubscriptionRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/event-subscriptions/:subscriptionId",
    {
      config: { scope: "events:read", limit: "getSubscription", errors: ["subscription_not_found"] },
      schema: {
        operationId: "getSubscription",
        tags: ["Events"],
        summary: "Get an event subscription",
        params: subscriptionParams,
        response: { 200: envelope("The subscription, without its secret", subscriptionSchema) },
      },
    },
    async (request, reply) => {
      const { subscriptions } = context.clients;
      const { subscription } = await subscriptions.getSubscription(request.params, rpcOptions(context, request));
      return respond(context, reply, { data: subscriptionView(requireMessage(subscription)) });
    },
  );
}
