import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { created } from "../location.ts";
import { envelope } from "../schemas.ts";
import { documentedCreateSubscription } from "./subscription-input.ts";
import { createdSubscriptionSchema, subscriptionView } from "./subscription-view.ts";

export function registerCreateSubscriptionRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/event-subscriptions",
    {
      config: {
        scope: "events:write",
        limit: "createSubscription",
        errors: ["feature_locked", "duplicate_subscription", "subscription_limit_reached"],
      },
      schema: {
        operationId: "createSubscription",
        tags: ["Events"],
        summary: "Subscribe to events",
        description:
          "Creates a signed webhook if `url` is given, otherwise an event feed. Not replayed by `Idempotency-Key`, because the response contains a secret.",
        body: documentedCreateSubscription,
        response: { 201: envelope("The new subscription with its secret", createdSubscriptionSchema) },
      },
    },
    async (request, reply) => {
      const { subscription, secret } = await context.clients.subscriptions.createSubscription(
        { bodyJson: request.bodyText! },
        rpcOptions(context, request),
      );
      const view = subscriptionView(requireMessage(subscription));
      created(reply, `/event-subscriptions/${view.id}`);
      return respond(context, reply, { data: secret === "" ? view : { ...view, secret } });
    },
  );
}
