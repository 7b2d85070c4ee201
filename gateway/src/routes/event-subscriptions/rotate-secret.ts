import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";
import { subscriptionParams } from "./subscription-input.ts";
import { rotatedSubscriptionSchema, subscriptionView } from "./subscription-view.ts";

const description = `For 24 hours webhooks have two signatures, one by the new and one by the former secret. Only the two newest
secrets sign: rotate twice to revoke a leaked secret at once. Owners and admins get a mail. Not replayed by
\`Idempotency-Key\`, because the response contains a secret.`;

export function registerRotateSecretRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/event-subscriptions/:subscriptionId/rotate-secret",
    {
      config: {
        scope: "events:write",
        limit: "rotateSecret",
        errors: ["subscription_not_found", "feature_locked", "subscription_is_pull"],
      },
      schema: {
        operationId: "rotateSecret",
        tags: ["Events"],
        summary: "Replace a webhook's signing secret",
        description,
        params: subscriptionParams,
        response: { 200: envelope("The webhook with its new secret", rotatedSubscriptionSchema) },
      },
    },
    async (request, reply) => {
      const { subscriptionId } = request.params;
      const { subscriptions } = context.clients;
      const rotation = await subscriptions.rotateSecret({ subscriptionId }, rpcOptions(context, request));
      const { secret, previousUntil } = rotation;
      const view = subscriptionView(requireMessage(rotation.subscription));
      return respond(context, reply, { data: { ...view, secret, previous_secret_expires_at: isoTime(previousUntil) } });
    },
  );
}
