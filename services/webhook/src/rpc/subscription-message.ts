import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { SubscriptionSchema, type Subscription } from "@canvass/proto/webhook";
import type { StoredSubscription } from "../storage/subscriptions.ts";

export function subscriptionMessage(subscription: StoredSubscription): Subscription {
  const { lastSuccessAt } = subscription;
  return create(SubscriptionSchema, {
    subscriptionId: subscription.subscriptionId,
    name: subscription.name,
    mode: subscription.mode,
    url: subscription.url ?? "",
    eventTypes: subscription.eventTypes,
    status: subscription.status,
    statusReason: subscription.statusReason,
    createdAt: timestampFromDate(subscription.createdAt),
    updatedAt: timestampFromDate(subscription.updatedAt),
    consecutiveFailures: subscription.consecutiveFailures,
    ...(lastSuccessAt ? { lastSuccessAt: timestampFromDate(lastSuccessAt) } : {}),
  });
}
