import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import type { DisableSubscriptionRequest, DisableSubscriptionResponseSchema } from "@canvass/proto/webhook";
import type { Call } from "@canvass/rpc";
import type { WebhookContext } from "../context.ts";
import { saveIntervalEnd } from "../storage/listening-intervals.ts";
import { lockSubscription } from "../storage/subscriptions.ts";
import { subscriptionChanged } from "./subscription-changed.ts";
import { webhookNotification, webhookRef } from "./webhook-notification.ts";

const reasons: readonly string[] = ["gone", "blocked"];

/** Skips disabled and deleted ones. */
export async function disableSubscription(
  context: WebhookContext,
  { workspaceId, subscriptionId, reason }: DisableSubscriptionRequest,
  { log }: Call,
): Promise<MessageInitShape<typeof DisableSubscriptionResponseSchema>> {
  if (!reasons.includes(reason)) throw new AppError("invalid_request", { reason: [`must be ${reasons.join(" or ")}`] });
  const now = context.now();
  await context.write(async ({ prisma, sql, publish }) => {
    if (!(await lockSubscription(sql, workspaceId, subscriptionId))) return;
    const where = { workspaceId_subscriptionId: { workspaceId, subscriptionId } };
    const { status } = await prisma.subscription.findUniqueOrThrow({ where });
    if (status === "disabled") return;
    await saveIntervalEnd(prisma, workspaceId, subscriptionId, now);
    const disabled = await prisma.subscription.update({
      where,
      data: { status: "disabled", statusReason: reason, revision: { increment: 1 }, updatedAt: now },
    });
    const notification = { webhook: webhookRef(disabled), reason };
    await publish(
      subscriptionChanged(disabled, now),
      webhookNotification({ workspaceId, at: now }, { case: "webhookDisabled", value: notification }),
    );
    log.info({ workspaceId, subscriptionId, reason }, "a subscription was disabled");
  });
  return {};
}
