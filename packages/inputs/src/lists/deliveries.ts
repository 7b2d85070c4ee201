import { Type, type Static } from "typebox";
import { closed, momentText, word } from "../fields.ts";
import { cursorQuery } from "../pages.ts";

export const deliveryStatuses = ["pending", "delivered", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveriesQuery = cursorQuery({ status: Type.Optional(word(deliveryStatuses)) });

/** Selects deliveries by creation time. Cancelled deliveries cannot be redelivered. */
export const redeliverRangeBody = closed({
  status: Type.Optional(
    word(["failed", "delivered"] as const, {
      default: "failed",
      description: "which deliveries",
      "x-expected": "failed or delivered",
    }),
  ),
  from: momentText("deliveries that were created then or later"),
  to: Type.Optional(momentText("deliveries that were created earlier; default now")),
});

export type RedeliverRangeBody = Static<typeof redeliverRangeBody>;
