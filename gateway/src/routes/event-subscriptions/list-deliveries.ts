import { deliveriesQuery } from "@canvass/inputs";
import type { Attempt, Delivery } from "@canvass/proto/delivery";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { answer } from "../../plugins/answers/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { cursorEnd, cursorList } from "../pages.ts";
import { dateTime, id, named, nullable, nullableDateTime, nullableText } from "../schemas.ts";
import { isoTime, isoTimeOrNull } from "../timestamps.ts";
import { subscriptionParams } from "./subscription-input.ts";

const attemptSchema = named("Attempt", {
  number: Type.Integer(),
  attempted_at: dateTime,
  duration_ms: Type.Integer(),
  outcome: Type.String({ description: "success, http_error, gone, connection_error, no_response or blocked" }),
  status_code: nullable<number>("integer"),
  response_body: { ...nullableText, description: "its first 256 bytes" },
});

/** A delivery as callers see it (contract 8.10). */
const deliverySchema = named("Delivery", {
  id,
  event_id: Type.String({ description: "sent as webhook-id" }),
  event_type: Type.String(),
  status: Type.String({ description: "pending, delivered, failed or cancelled" }),
  created_at: dateTime,
  next_attempt_at: nullableDateTime,
  redelivery_of: { ...nullableText, description: "the delivery that this one repeats" },
  attempts: Type.Array(attemptSchema),
});

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
      return answer(context, reply, { data: page.deliveries.map(deliveryView), pagination: cursorEnd(page) });
    },
  );
}

function deliveryView(delivery: Delivery) {
  return {
    id: delivery.deliveryId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    created_at: isoTime(delivery.createdAt),
    next_attempt_at: isoTimeOrNull(delivery.nextAttemptAt),
    redelivery_of: delivery.redeliveryOf || null,
    attempts: delivery.attempts.map(attemptView),
  };
}

function attemptView(attempt: Attempt) {
  return {
    number: attempt.number,
    attempted_at: isoTime(attempt.attemptedAt),
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    status_code: attempt.statusCode || null,
    response_body: attempt.statusCode === 0 ? null : attempt.responseBody,
  };
}
