import { attemptOutcomes, connectionFailures, deliveryStatuses } from "@canvass/inputs";
import type { Attempt, Delivery } from "@canvass/proto/delivery";
import { Type } from "typebox";
import {
  dateTime,
  id,
  named,
  nullable,
  nullableDateTime,
  nullableText,
  words,
  nullableWords,
  eventTypes,
} from "../schemas.ts";
import { isoTime, isoTimeOrNull } from "../../plugins/responses/timestamps.ts";

export const outcomeFields = {
  outcome: words(attemptOutcomes),
  reason: nullableWords(connectionFailures, { description: "only for a connection_error" }),
  status_code: nullable<number>("integer"),
  duration_ms: Type.Integer(),
  response_body: { ...nullableText, description: "its first 256 bytes" },
};

const attemptSchema = named("Attempt", {
  number: Type.Integer(),
  attempted_at: dateTime,
  ...outcomeFields,
});

/** A delivery as callers see it (contract 8.10). */
export const deliveryFields = {
  id,
  event_id: Type.String({ description: "sent as webhook-id" }),
  event_type: words(eventTypes),
  status: words(deliveryStatuses),
  created_at: dateTime,
  next_attempt_at: nullableDateTime,
  redelivery_of: { ...nullableText, description: "the delivery that this one repeats" },
  attempts: Type.Array(attemptSchema),
};

export const deliverySchema = named("Delivery", deliveryFields);

export function deliveryView(delivery: Delivery) {
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
    ...outcomeView(attempt),
  };
}

/** `statusCode` 0 means that there was no response, so no body either. */
export function outcomeView({
  durationMs,
  outcome,
  reason,
  statusCode,
  responseBody,
}: Pick<Attempt, "durationMs" | "outcome" | "reason" | "statusCode" | "responseBody">) {
  return {
    outcome,
    reason: reason || null,
    status_code: statusCode || null,
    duration_ms: durationMs,
    response_body: statusCode === 0 ? null : responseBody,
  };
}
