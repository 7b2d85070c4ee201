import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { accepted } from "../location.ts";
import { dateTime, envelope, id, named, words } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";
import { documentedRedeliverRange, subscriptionParams } from "./subscription-input.ts";

const rangeSchema = named("RedeliveredRange", {
  id,
  status: words(["failed", "delivered"]),
  from: dateTime,
  to: dateTime,
  deliveries: Type.Integer({ description: "number of events that are queued again" }),
});

const description = `Queues again the events whose newest delivery was created in that time range and has that status, at most 100,000. They are queued in
the background, a thousand at a time, so that new events do not wait behind them. Events that are pending by then are
skipped. Events that are not queued yet are dropped if the webhook is deleted or permanently disabled, or after 3.7 days.`;

export function registerRedeliverRangeRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/event-subscriptions/:subscriptionId/deliveries/redeliver",
    {
      config: {
        scope: "events:write",
        limit: "redeliver",
        idempotent: true,
        errors: ["subscription_not_found", "feature_locked", "subscription_is_pull", "subscription_not_active"],
      },
      schema: {
        operationId: "redeliverRange",
        tags: ["Events"],
        summary: "Redeliver the events of a time range",
        description,
        params: subscriptionParams,
        body: documentedRedeliverRange,
        response: { 202: envelope("How many are queued", rangeSchema) },
      },
    },
    async (request, reply) => {
      const wanted = { ...request.params, bodyJson: request.bodyText! };
      const range = await context.clients.deliveries.redeliverRange(wanted, rpcOptions(context, request));
      const { redeliveryId, status, from, to, deliveries } = range;
      accepted(reply, `/event-subscriptions/${request.params.subscriptionId}/deliveries`);
      return respond(context, reply, {
        data: { id: redeliveryId, status, from: isoTime(from), to: isoTime(to), deliveries },
      });
    },
  );
}
