import { AppError } from "@canvass/errors";
import { auditEvent } from "@canvass/events";
import { isId, newId } from "@canvass/values";
import { findReplay } from "@canvass/postgres/rpc";
import {
  RedeliverDeliveryResponseSchema,
  type RedeliverDeliveryRequest,
  type RedeliverDeliveryResponse,
} from "@canvass/proto/delivery";
import type { Subscription } from "@canvass/proto/webhook";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DeliveryQueueContext, DeliveryTransaction } from "../context.ts";
import { findDelivery, type DeliveryRef } from "../storage/find-deliveries.ts";
import { insertRedelivery } from "../storage/redeliver.ts";
import { deliveryMessage } from "./delivery-message.ts";
import { fetchSubscription } from "./fetch-subscription.ts";
import { requireActiveWebhook } from "./require-webhook.ts";

/** Of concurrent requests one succeeds, and the others throw `delivery_pending` (contract 8.15). */
export async function redeliverDelivery(
  context: DeliveryQueueContext,
  { subscriptionId, deliveryId }: RedeliverDeliveryRequest,
  call: Call,
): Promise<RedeliverDeliveryResponse> {
  const { workspaceId } = call.caller;
  const replay = await findReplay(context.database.sql, call, RedeliverDeliveryResponseSchema, context.now());
  if (replay) return replay;
  const subscription = await fetchSubscription(context, subscriptionId, call);
  const ref = { workspaceId, subscriptionId, deliveryId };
  const response = await idempotentWrite(context, call, RedeliverDeliveryResponseSchema, async (transaction) => {
    await requireRedeliverable(transaction, ref, subscription, call);
    return { delivery: deliveryMessage({ ...(await redeliver(context, transaction, ref, call)), attempts: [] }) };
  });
  context.nudgeWorker();
  return response;
}

async function requireRedeliverable(
  { sql }: DeliveryTransaction,
  ref: DeliveryRef,
  subscription: Subscription,
  { caller }: Call,
): Promise<void> {
  const delivery = isId(ref.deliveryId) ? await findDelivery(sql, ref) : undefined;
  if (subscription.mode === "push" && !delivery) throw new AppError("delivery_not_found");
  requireActiveWebhook(caller, subscription);
  if (delivery?.status === "pending") throw new AppError("delivery_pending", { delivery_id: ref.deliveryId });
  if (delivery?.status === "cancelled") throw new AppError("invalid_transition", { state: "cancelled", allowed: [] });
}

async function redeliver(
  { now }: DeliveryQueueContext,
  { sql, publish }: DeliveryTransaction,
  ref: DeliveryRef,
  call: Call,
) {
  const at = now();
  const deliveryId = newId(at);
  const { workspaceId, subscriptionId, deliveryId: redeliveryOf } = ref;
  const traceparent = call.traceparent ?? "";
  const made = await insertRedelivery(sql, { workspaceId, subscriptionId, redeliveryOf, deliveryId, traceparent }, at);
  if (!made) throw new AppError("delivery_pending");
  const redelivery = (await findDelivery(sql, { ...ref, deliveryId }))!;
  const after = { delivery_id: deliveryId, redelivery_of: redeliveryOf, event_id: redelivery.eventId };
  const action = "subscription.delivery_redelivered";
  await publish(auditEvent(call, { source: "delivery", at, action, resourceId: subscriptionId, after }));
  return redelivery;
}
