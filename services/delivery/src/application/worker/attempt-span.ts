import { isTraced, startSpan, type Span } from "@canvass/telemetry";
import type { ClaimedDelivery } from "../../storage/claimed-delivery.ts";

/** Contains ids, never the webhook's address. */
export function startAttemptSpan(delivery: ClaimedDelivery): Span | undefined {
  const { traceparent, subscriptionId, deliveryId, eventId, attempts } = delivery;
  if (!isTraced(traceparent)) return undefined;
  return startSpan(traceparent, "client", "POST webhook", {
    "http.request.method": "POST",
    "http.request.resend_count": attempts,
    "messaging.message.id": eventId,
    "canvass.subscription.id": subscriptionId,
    "canvass.delivery.id": deliveryId,
  });
}
