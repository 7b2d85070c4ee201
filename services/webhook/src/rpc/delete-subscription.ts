import { AppError } from "@canvass/errors";
import { auditEvent } from "@canvass/events";
import {
  DeleteSubscriptionResponseSchema,
  type DeleteSubscriptionRequest,
  type DeleteSubscriptionResponse,
} from "@canvass/proto/webhook";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { WebhookContext } from "../context.ts";
import { saveIntervalEnd } from "../storage/listening-intervals.ts";
import { lockSubscription, timeOfChange } from "../storage/subscriptions.ts";
import { auditedSubscription } from "./audited-subscription.ts";
import { pushWebhook, subscriptionChanged } from "./webhook-change.ts";

/** Works on every plan. The delivery service cancels the queued deliveries. */
export async function deleteSubscription(
  context: WebhookContext,
  { subscriptionId }: DeleteSubscriptionRequest,
  call: Call,
): Promise<DeleteSubscriptionResponse> {
  const { workspaceId } = call.caller;
  const now = context.now();
  let mode = "push";
  const response = await idempotentWrite(
    context,
    call,
    DeleteSubscriptionResponseSchema,
    async ({ prisma, sql, publish }) => {
      const subscription = await lockSubscription(sql, prisma, workspaceId, subscriptionId);
      if (!subscription) throw new AppError("subscription_not_found");
      const at = timeOfChange(subscription, now);
      await saveIntervalEnd(prisma, workspaceId, subscriptionId, at);
      const deleted = await prisma.subscription.delete({
        where: { workspaceId_subscriptionId: { workspaceId, subscriptionId } },
      });
      ({ mode } = deleted);
      const change = { ...deleted, status: "deleted", revision: deleted.revision + 1 };
      const action = "subscription.deleted";
      const before = auditedSubscription(deleted);
      await publish(
        subscriptionChanged(change, at),
        auditEvent(call, { source: "webhook", at, action, resourceId: subscriptionId, before }),
      );
      return {};
    },
  );
  if (mode === "push") await pushWebhook(context, { workspaceId, subscriptionId });
  return response;
}
