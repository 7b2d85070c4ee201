import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import type { GetSubscriptionRequest, GetSubscriptionResponseSchema } from "@canvass/proto/webhook";
import type { Call } from "@canvass/rpc";
import type { WebhookContext } from "../context.ts";
import { findSubscription } from "../storage/subscriptions.ts";
import { subscriptionMessage } from "./subscription-message.ts";

export async function getSubscription(
  { database }: WebhookContext,
  { subscriptionId }: GetSubscriptionRequest,
  { caller }: Call,
): Promise<MessageInitShape<typeof GetSubscriptionResponseSchema>> {
  const subscription = await findSubscription(database.prisma, caller.workspaceId, subscriptionId);
  if (!subscription) throw new AppError("subscription_not_found");
  return { subscription: subscriptionMessage(subscription) };
}
