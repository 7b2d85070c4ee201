import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import { auditEvent } from "@canvass/events";
import { newId } from "@canvass/values";
import type { RotateSecretRequest, RotateSecretResponseSchema } from "@canvass/proto/webhook";
import type { Call } from "@canvass/rpc";
import type { WebhookContext } from "../context.ts";
import { newWebhookSecret } from "../domain/webhook-secret.ts";
import { insertSecret, retireSecrets } from "../storage/signing-secrets.ts";
import { lockSubscription, saveSubscription, timeOfChange } from "../storage/subscriptions.ts";
import { auditedSubscription } from "./audited-subscription.ts";
import { requireWebhooks } from "./require-webhooks.ts";
import { subscriptionMessage } from "./subscription-message.ts";
import { pushWebhook, subscriptionChanged } from "./webhook-change.ts";
import { webhookNotification, webhookRef } from "./webhook-notification.ts";

const OVERLAP_MS = 86_400_000;

/** The former secret also signs for 24 hours (contract 8.7). Never replayed: the response contains the new secret. */
export async function rotateSecret(
  context: WebhookContext,
  { subscriptionId }: RotateSecretRequest,
  call: Call,
): Promise<MessageInitShape<typeof RotateSecretResponseSchema>> {
  const { workspaceId } = call.caller;
  await context.requireDelivery();
  const { write, now, secretKeys } = context;
  const rotated = await write(async ({ prisma, sql, publish }) => {
    const before = await lockSubscription(sql, prisma, workspaceId, subscriptionId);
    if (!before) throw new AppError("subscription_not_found");
    requireWebhooks(call.caller);
    if (before.mode === "pull") throw new AppError("subscription_is_pull");
    const at = timeOfChange(before, now());
    const previousUntil = timestampFromDate(new Date(at.getTime() + OVERLAP_MS));
    const secret = newWebhookSecret();
    const owner = { workspaceId, subscriptionId };
    await retireSecrets(prisma, owner, new Date(at.getTime() + OVERLAP_MS));
    const sealed = await secretKeys.seal(sql, secret, owner);
    await insertSecret(prisma, { ...owner, secretId: newId(at), sealed, createdAt: at });
    const after = await saveSubscription(prisma, before, {}, at);
    const webhook = webhookRef(after);
    await publish(
      subscriptionChanged(after, at),
      auditEvent(call, {
        source: "webhook",
        at,
        action: "subscription.secret_rotated",
        resourceId: subscriptionId,
        before: auditedSubscription(before),
        after: auditedSubscription(after),
      }),
      webhookNotification(
        { workspaceId, at, caller: call.caller },
        { case: "webhookSecretReplaced", value: { webhook, previousUntil } },
      ),
    );
    return { subscription: subscriptionMessage(after), secret, previousUntil };
  });
  await pushWebhook(context, { workspaceId, subscriptionId });
  return rotated;
}
