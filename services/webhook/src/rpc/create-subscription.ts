import { AppError } from "@canvass/errors";
import { type Fault, joinFaults, newId, validationFailed, mostSubscriptions } from "@canvass/inputs";
import { auditEvent } from "@canvass/events";
import { create } from "@bufbuild/protobuf";
import {
  CreateSubscriptionResponseSchema,
  type CreateSubscriptionRequest,
  type CreateSubscriptionResponse,
} from "@canvass/proto/webhook";
import type { Call } from "@canvass/rpc";
import { webhookUrlKey } from "@canvass/webhook-sender";
import { createHash } from "node:crypto";
import type { WebhookContext, WebhookTransaction } from "../context.ts";
import { judgeSubscriptionFields, type SubscriptionFields } from "../domain/subscription-fields.ts";
import { newWebhookSecret } from "../domain/webhook-secret.ts";
import { insertInterval } from "../storage/listening-intervals.ts";
import { lockSubscriptions, type StoredSubscription } from "../storage/subscriptions.ts";
import { auditedSubscription } from "./audited-subscription.ts";
import { requireWebhooks } from "./require-webhooks.ts";
import { subscriptionChanged } from "./subscription-changed.ts";
import { subscriptionMessage } from "./subscription-message.ts";
import { webhookNotification, webhookRef } from "./webhook-notification.ts";

/** Never replayed, since the answer holds a secret: a repetition is `duplicate_subscription` (contract 8.3). */
export async function createSubscription(
  context: WebhookContext,
  request: CreateSubscriptionRequest,
  call: Call,
): Promise<CreateSubscriptionResponse> {
  const { fields, faults } = judgeSubscriptionFields(request);
  faults.push(...(await destinationFaults(context, fields)));
  const all = joinFaults(request.edgeFaults, faults);
  if (all.length > 0) throw validationFailed(all);
  requireWebhooks(call.caller);
  const secret = fields.url === undefined ? "" : newWebhookSecret();
  const subscription = await context.write((transaction) => insert(context, transaction, call, fields, secret));
  return create(CreateSubscriptionResponseSchema, { subscription: subscriptionMessage(subscription), secret });
}

async function destinationFaults({ sender }: WebhookContext, { url }: SubscriptionFields): Promise<Fault[]> {
  if (url === undefined) return [];
  const destination = await sender.checkDestination(url);
  return destination.state === "permitted" ? [] : destination.problems.map((message) => ({ path: "url", message }));
}

async function insert(
  { now, secretBox }: WebhookContext,
  { prisma, sql, publish }: WebhookTransaction,
  call: Call,
  fields: SubscriptionFields,
  secret: string,
): Promise<StoredSubscription> {
  const { workspaceId } = call.caller;
  await lockSubscriptions(sql, workspaceId);
  const urlSha256 = fields.url ? createHash("sha256").update(webhookUrlKey(fields.url)).digest("hex") : null;
  await requireRoom(prisma, workspaceId, urlSha256);
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
      createdAt: at,
      updatedAt: at,
    },
  });
  if (secret !== "") {
    const sealed = new Uint8Array(secretBox.seal(secret, owner));
    await prisma.subscriptionSecret.create({ data: { ...owner, secretId: newId(at), sealed, createdAt: at } });
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

/** A duplicate comes before the limit, so that a retry of the twentieth create learns that it worked. */
async function requireRoom(
  prisma: WebhookTransaction["prisma"],
  workspaceId: string,
  urlSha256: string | null,
): Promise<void> {
  const present = await prisma.subscription.findMany({
    where: { workspaceId },
    select: { subscriptionId: true, urlSha256: true },
  });
  const same = present.find((other) => urlSha256 !== null && other.urlSha256 === urlSha256);
  if (same) throw new AppError("duplicate_subscription", { subscription_id: same.subscriptionId });
  if (present.length >= mostSubscriptions) {
    throw new AppError("subscription_limit_reached", { limit: mostSubscriptions });
  }
}
