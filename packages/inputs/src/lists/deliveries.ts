import { Type, type Static } from "typebox";
import { closed, timestampText, word } from "../fields.ts";
import { cursorQuery } from "../pages.ts";

export const deliveryStatuses = ["pending", "delivered", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** How an attempt ended (contract 8.10). */
export const attemptOutcomes = ["success", "http_error", "gone", "connection_error", "no_response", "blocked"] as const;

/** Why there was no connection to a receiver, or no HTTP on it. */
export const connectionFailures = [
  "dns_failed",
  "refused",
  "reset",
  "connect_timeout",
  "tls_untrusted",
  "tls_incomplete_chain",
  "tls_expired",
  "tls_name_mismatch",
  "tls_protocol",
  "client_certificate_required",
  "bad_http",
] as const;

export const deliveriesQuery = cursorQuery({ status: Type.Optional(word(deliveryStatuses)) });

/** Selects events by status and creation time of their newest delivery (contract 8.15). */
export const redeliverRangeBody = closed({
  status: Type.Optional(
    word(["failed", "delivered"] as const, {
      default: "failed",
      description: "status of the deliveries to repeat",
      "x-expected": "failed or delivered",
    }),
  ),
  from: timestampText("deliveries that were created then or later"),
  to: Type.Optional(timestampText("deliveries that were created earlier; default now")),
});

export type RedeliverRangeBody = Static<typeof redeliverRangeBody>;
