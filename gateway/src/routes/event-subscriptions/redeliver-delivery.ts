import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { created } from "../location.ts";
import { envelope } from "../schemas.ts";
import { deliverySchema, deliveryView } from "./delivery-view.ts";
import { deliveryParams } from "./subscription-input.ts";

export function registerRedeliverDeliveryRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/event-subscriptions/:subscriptionId/deliveries/:deliveryId/redeliver",
    {
      config: {
        scope: "events:write",
        limit: "redeliver",
        idempotent: true,
        errors: [
          "subscription_not_found",
          "delivery_not_found",
          "feature_locked",
          "subscription_is_pull",
          "subscription_not_active",
          "delivery_pending",
          "invalid_transition",
        ],
      },
      schema: {
        operationId: "redeliverDelivery",
        tags: ["Events"],
        summary: "Redeliver an event",
        description:
          "Queues a new delivery of the same event, with the same `webhook-id`, for a delivery that succeeded or failed. For a cancelled one: 409 `invalid_transition`.",
        params: deliveryParams,
        response: { 201: envelope("The new delivery, which is sent at once", deliverySchema) },
      },
    },
    async (request, reply) => {
      const { deliveries } = context.clients;
      const { delivery } = await deliveries.redeliverDelivery(request.params, rpcOptions(context, request));
      created(reply, `/event-subscriptions/${request.params.subscriptionId}/deliveries`);
      return respond(context, reply, { data: deliveryView(requireMessage(delivery)) });
    },
  );
}
