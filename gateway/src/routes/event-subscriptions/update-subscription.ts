import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope } from "../schemas.ts";
import { documentedUpdateSubscription, subscriptionParams } from "./subscription-input.ts";
import { subscriptionSchema, subscriptionView } from "./subscription-view.ts";

const description = `Only given fields change. \`status\` \`paused\` stops sending and keeps queued deliveries; events that happen while it is paused are
not queued. \`active\` resumes a paused or disabled webhook: the URL is checked again, the failure count is reset, and queued deliveries
continue unless they are older than all retries together. A webhook cannot become a feed, nor a feed a webhook. Owners and admins get a mail about a new URL.`;

export function registerUpdateSubscriptionRoute(api: Api, context: GatewayContext): void {
  api.patch(
    "/event-subscriptions/:subscriptionId",
    {
      config: {
        scope: "events:write",
        limit: "updateSubscription",
        idempotent: true,
        errors: ["subscription_not_found", "feature_locked", "duplicate_subscription", "invalid_transition"],
      },
      schema: {
        operationId: "updateSubscription",
        tags: ["Events"],
        summary: "Change, pause or resume an event subscription",
        description,
        params: subscriptionParams,
        body: documentedUpdateSubscription,
        response: { 200: envelope("The updated subscription", subscriptionSchema) },
      },
    },
    async (request, reply) => {
      const change = { ...request.params, bodyJson: request.bodyText! };
      const { subscriptions } = context.clients;
      const { subscription } = await subscriptions.updateSubscription(change, rpcOptions(context, request));
      return respond(context, reply, { data: subscriptionView(requireMessage(subscription)) });
    },
  );
}
