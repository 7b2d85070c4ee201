import { AppError } from "@canvass/errors";
import { joinViolations, mostSubscriptions, readObject, refuseViolations } from "@canvass/inputs";
import { newId } from "@canvass/values";
import { auditEvent } from "@canvass/events";
import { create } from "@bufbuild/protobuf";
import {
  CreateSubscriptionResponseSchema,
  type CreateSubscriptionRequest,
  type CreateSubscriptionResponse,
} from "@canvass/proto/webhook";
import type { Call } from "@canvass/rpc";
import type { WebhookContext, WebhookTransaction } from "../context.ts";
import { validateSubscriptionFields, type SubscriptionFields } from "../domain/subscription-fields.ts";
import { urlDigest } from "../domain/url-digest.ts";
import { newWebhookSecret } from "../domain/webhook-secret.ts";
import { insertInterval } from "../storage/listening-intervals.ts";
import { insertSecret } from "../storage/signing-secrets.ts";
import { lockSubscriptions, type StoredSubscription } from "../storage/subscriptions.ts";
import { auditedSubscription } from "./audited-subscription.ts";
import { destinationViolations } from "./destination-violations.ts";
import { requireFreeUrl } from "./require-free-url.ts";
import { requireWebhooks } from "./require-webhooks.ts";
import { subscriptionMessage } from "./subscription-message.ts";
import { pushWebhook, subscriptionChanged } from "./webhook-change.ts";
import { webhookNotification, webhookRef } from "./webhook-notification.ts";

/** Never replayed: the response has a secret. A retry for a webhook gets `duplicate_subscription` (contract 8.3). */
export async function createSubscription(
  context: WebhookContext,
  { bodyJson }: CreateSubscriptionRequest,
  call: Call,
): Promise<CreateSubscriptionResponse> {
  const { fields, violations } = validateSubscriptionFields(readObject(bodyJson));
  refuseViolations(joinViolations(violations, await destinationViolations(context, call, fields.url)));
  requireWebhooks(call.caller);
  const isWebhook = fields.url !== undefined;
  if (isWebhook) await context.requireDelivery();
  const secret = isWebhook ? newWebhookSecret() : "";
  const subscription = await context.write((transaction) => insert(context, transaction, call, fields, secret), call);
  if (isWebhook) await pushWebhook(context, subscription);
  return create(CreateSubscriptionResponseSchema, { subscription: subscriptionMessage(subscription), secret });
}

async function insert(
  { now, secretKeys }: WebhookContext,
  { prisma, sql, publish }: WebhookTransaction,
  call: Call,
  fields: SubscriptionFields,
  secret: string,
): Promise<StoredSubscription> {
  const { workspaceId } = call.caller;
  await lockSubscriptions(sql, workspaceId);
  const urlSha256 = fields.url ? urlDigest(fields.url) : null;
  if (urlSha256 !== null) await requireFreeUrl(prisma, { workspaceId, urlSha256 });
  await requireCapacity(prisma, workspaceId);
  const at = now();
  const owner = { workspaceId, subscriptionId: newId(at) };
  const { eventTypes } = fields;
  const subscription = await prisma.subscription.create({
    data: {
      ...owner,
      name: fields.name,
      mode: fields.url ? "push" : "pull",
      url: fields.urlText ?? null,
      urlSha256,
      eventTypes,
      status: "active",
      revision: 1,
      destinationRevision: 1,
      activeSince: at,
      createdAt: at,
      updatedAt: at,
    },
  });
  if (secret !== "") {
    const sealed = await secretKeys.seal(sql, secret, owner);
    await insertSecret(prisma, { ...owner, secretId: newId(at), sealed, createdAt: at });
  }
  await insertInterval(prisma, { ...owner, intervalId: newId(at), eventTypes, startedAt: at });
  const { subscriptionId: resourceId } = owner;
  const after = auditedSubscription(subscription);
  await publish(
    subscriptionChanged(subscription, at),
    auditEvent(call, { source: "webhook", at, action: "subscription.created", resourceId, after }),
  );
  if (fields.url) {
    const webhook = webhookRef(subscription);
    await publish(
      webhookNotification({ workspaceId, at, caller: call.caller }, { case: "webhookAdded", value: { webhook } }),
    );
  }
  return subscription;
}

/** Checked after duplicates: a retry of the last permitted create must get `duplicate_subscription`. */
async function requireCapacity(prisma: WebhookTransaction["prisma"], workspaceId: string): Promise<void> {
  const present = await prisma.subscription.count({ where: { workspaceId } });
  if (present >= mostSubscriptions) throw new AppError("subscription_limit_reached", { limit: mostSubscriptions });
}
