import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { platformAuditEvent } from "@canvass/events";
import type { DisableSubscriptionRequest, DisableSubscriptionResponseSchema } from "@canvass/proto/webhook";
import type { Call } from "@canvass/rpc";
import type { WebhookContext } from "../context.ts";
import { saveIntervalEnd } from "../storage/listening-intervals.ts";
import { lockSubscription, saveSubscription, timeOfChange, type StoredSubscription } from "../storage/subscriptions.ts";
import { auditedSubscription } from "./audited-subscription.ts";
import { pushWebhook, subscriptionChanged } from "./webhook-change.ts";
import { webhookNotification, webhookRef, type WebhookNotification } from "./webhook-notification.ts";

/** The status for each reason that the delivery service reports (contract 8.5). */
const statuses = { gone: "disabled", blocked: "disabled", failing: "paused" } as const;

const isReason = (reason: string): reason is keyof typeof statuses => Object.hasOwn(statuses, reason);

/**
 * Pauses or disables a subscription. Changes nothing if it was deleted, is disabled, is paused and would only be
 * paused, or was resumed or got another URL since the attempt.
 */
export async function disableSubscription(
  context: WebhookContext,
  request: DisableSubscriptionRequest,
  { log }: Call,
): Promise<MessageInitShape<typeof DisableSubscriptionResponseSchema>> {
  const { workspaceId, subscriptionId, reason } = request;
  if (!isReason(reason)) {
    throw new AppError("invalid_request", { reason: [`must be one of ${Object.keys(statuses).join(", ")}`] });
  }
  const status = statuses[reason];
  const now = context.now();
  await context.write(async ({ prisma, sql, publish }) => {
    const before = await lockSubscription(sql, prisma, workspaceId, subscriptionId);
    if (!before || !applies(before, status, request)) return;
    const at = timeOfChange(before, now);
    await saveIntervalEnd(prisma, workspaceId, subscriptionId, at);
    const after = await saveSubscription(
      prisma,
      before,
      {
        status,
        statusReason: reason,
        // The health report with these failures may not have arrived yet.
        consecutiveFailures: Math.max(before.consecutiveFailures, request.failedAttempts),
      },
      at,
    );
    await publish(
      subscriptionChanged(after, at),
      platformAuditEvent(workspaceId, {
        source: "webhook",
        at,
        action: status === "paused" ? "subscription.paused" : "subscription.disabled",
        resourceId: subscriptionId,
        before: auditedSubscription(before),
        after: { ...auditedSubscription(after), status_reason: reason },
      }),
      webhookNotification({ workspaceId, at }, notificationOf(after, request)),
    );
    log.info({ workspaceId, subscriptionId, reason }, `a subscription was ${status}`);
  });
  await pushWebhook(context, { workspaceId, subscriptionId });
  return {};
}

function applies(
  { status, destinationRevision }: StoredSubscription,
  next: "paused" | "disabled",
  { destinationRevision: reportedRevision }: DisableSubscriptionRequest,
): boolean {
  if (reportedRevision !== 0 && reportedRevision !== destinationRevision) return false;
  return next === "paused" ? status === "active" : status !== "disabled";
}

function notificationOf(
  subscription: StoredSubscription,
  { reason, failedAttempts, lastSuccessAt }: DisableSubscriptionRequest,
): WebhookNotification {
  const webhook = webhookRef(subscription);
  if (reason !== "failing") return { case: "webhookDisabled", value: { webhook, reason } };
  return { case: "webhookPaused", value: { webhook, failedAttempts, ...(lastSuccessAt && { lastSuccessAt }) } };
}
