import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope, named } from "../schemas.ts";
import { outcomeFields, outcomeView } from "./delivery-view.ts";
import { subscriptionParams } from "./subscription-input.ts";

const testSchema = named("WebhookTest", {
  ...outcomeFields,
  webhook_id: Type.String({ description: "sent as webhook-id" }),
  webhook_timestamp: Type.Integer({ description: "sent as webhook-timestamp, Unix seconds" }),
  signed_content: Type.String({
    description: "what the signatures are about: `{webhook-id}.{webhook-timestamp}.{body}`",
  }),
});

const description = `Sends one signed \`webhook.test\` event at once, whatever the webhook's state, and answers what came back. A receiver that is
not done in time is \`no_response\`: it has ten seconds, or what is left of the request's own deadline. The test is not kept, and
counts toward nothing: an answer of 410 is only reported. A workspace has three under way at once (429 for more).`;

export function registerSendTestRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/event-subscriptions/:subscriptionId/test",
    {
      config: {
        scope: "events:write",
        limit: "testSubscription",
        idempotent: true,
        errors: ["subscription_not_found", "feature_locked", "subscription_is_pull"],
      },
      schema: {
        operationId: "testSubscription",
        tags: ["Events"],
        summary: "Test a webhook",
        description,
        params: subscriptionParams,
        response: { 200: envelope("What the endpoint answered", testSchema) },
      },
    },
    async (request, reply) => {
      const test = await context.clients.deliveries.sendTest(request.params, rpcOptions(context, request));
      const { webhookId, webhookTimestamp, signedContent } = test;
      const data = {
        ...outcomeView(test),
        webhook_id: webhookId,
        webhook_timestamp: Number(webhookTimestamp),
        signed_content: signedContent,
      };
      return respond(context, reply, { data });
    },
  );
}
