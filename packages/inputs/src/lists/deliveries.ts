import { Type } from "typebox";
import { word } from "../fields.ts";
import { cursorQuery } from "../pages.ts";

export const deliveryStatuses = ["pending", "delivered", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveriesQuery = cursorQuery({ status: Type.Optional(word(deliveryStatuses)) });
