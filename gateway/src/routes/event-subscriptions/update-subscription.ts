import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { given } from "../given.ts";
import { envelope } from "../schemas.ts";
import { documentedUpdateSubscription, subscriptionParams } from "./subscription-input.ts";
import { subscriptionSchema, subscriptionView } from "./subscription-view.ts";

const description = `Only given fields change. \`status\` \`paused\` stops sending and keeps what is queued; events that happen meanwhile are
not queued. \`active\` resumes what is paused or disabled: the address is checked again, the failure count starts anew, and what is queued goes
on unless it is older than the retries last. A webhook stays a webhook and a feed a feed. A new address is told to owners and admins by mail.`;

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
        response: { 200: envelope("The subscription as it now is", subscriptionSchema) },
      },
    },
    async (request, reply) => {
      const change = { ...request.params, bodyJson: request.bodyText! };
      const { subscriptions } = context.clients;
      const { subscription } = await subscriptions.updateSubscription(change, rpcOptions(context, request));
      return respond(context, reply, { data: subscriptionView(given(subscription)) });
    },
  );
}
