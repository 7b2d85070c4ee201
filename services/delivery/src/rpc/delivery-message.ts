import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { DeliverySchema } from "@canvass/proto/delivery";
import type { StoredDelivery } from "../storage/find-deliveries.ts";

export function deliveryMessage({
  deliveryId,
  eventId,
  eventType,
  status,
  createdAt,
  nextAttemptAt,
  redeliveryOf,
  attempts,
}: StoredDelivery): MessageInitShape<typeof DeliverySchema> {
  return {
    deliveryId,
    eventId,
    eventType,
    status,
    redeliveryOf,
    createdAt: timestampFromDate(createdAt),
    ...(nextAttemptAt ? { nextAttemptAt: timestampFromDate(nextAttemptAt) } : {}),
    attempts: attempts.map(({ number, attemptedAt, durationMs, outcome, statusCode, responseBody, reason }) => ({
      number,
      attemptedAt: timestampFromDate(attemptedAt),
      durationMs,
      outcome,
      statusCode: statusCode ?? 0,
      responseBody,
      reason: reason ?? "",
    })),
  };
}
