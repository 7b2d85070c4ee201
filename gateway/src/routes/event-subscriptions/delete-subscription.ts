import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope, id, named } from "../schemas.ts";
import { subscriptionParams } from "./subscription-input.ts";

const deletedSchema = named("DeletedEventSubscription", { id, message: Type.String() });

export function registerDeleteSubscriptionRoute(api: Api, context: GatewayContext): void {
  api.delete(
    "/event-subscriptions/:subscriptionId",
    {
      config: {
        scope: "events:write",
        limit: "deleteSubscription",
        idempotent: true,
        errors: ["subscription_not_found"],
      },
      schema: {
        operationId: "deleteSubscription",
        tags: ["Events"],
        summary: "Delete an event subscription",
        params: subscriptionParams,
        response: { 200: envelope("The subscription is deleted", deletedSchema) },
      },
    },
    async (request, reply) => {
      const { subscriptionId } = request.params;
      await context.clients.subscriptions.deleteSubscription({ subscriptionId }, rpcOptions(context, request));
      return respond(context, reply, { data: { id: subscriptionId, message: "The subscription has been deleted." } });
    },
  );
}
