import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import type { DisableSubscriptionRequest, DisableSubscriptionResponseSchema } from "@canvass/proto/webhook";
import type { Call } from "@canvass/rpc";
import type { WebhookContext } from "../context.ts";
import { stopListening } from "../storage/listening-intervals.ts";
import { lockSubscription } from "../storage/subscriptions.ts";
import { writeTransaction } from "../write-transaction.ts";
import { subscriptionChanged } from "./subscription-changed.ts";

const reasons: readonly string[] = ["gone", "blocked"];

/** Spec 3.4. A subscription that is disabled or deleted already is left as it is. */
export async function disableSubscription(
  context: WebhookContext,
  { workspaceId, subscriptionId, reason }: DisableSubscriptionRequest,
  { log }: Call,
): Promise<MessageInitShape<typeof DisableSubscriptionResponseSchema>> {
  if (!reasons.includes(reason)) throw new AppError("invalid_request", { reason: [`must be ${reasons.join(" or ")}`] });
  const now = context.now();
  await writeTransaction(context, async ({ prisma, sql, say }) => {
    if (!(await lockSubscription(sql, workspaceId, subscriptionId))) return;
    const where = { workspaceId_subscriptionId: { workspaceId, subscriptionId } };
    const { status } = await prisma.subscription.findUniqueOrThrow({ where });
    if (status === "disabled") return;
    await stopListening(prisma, workspaceId, subscriptionId, now);
    const disabled = await prisma.subscription.update({
      where,
      data: { status: "disabled", statusReason: reason, revision: { increment: 1 }, updatedAt: now },
    });
    await say(subscriptionChanged(disabled, now));
    log.info({ workspaceId, subscriptionId, reason }, "a subscription was disabled");
  });
  return {};
}
