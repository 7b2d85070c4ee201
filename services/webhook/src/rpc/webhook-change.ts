import type { MessageInitShape } from "@bufbuild/protobuf";
import { newEvent } from "@canvass/events";
import { inTransaction } from "@canvass/postgres";
import type { Event, SubscriptionChangedSchema } from "@canvass/proto/events";
import type { WebhookContext } from "../context.ts";
import { findLastIntervals, findWebhookOrFeed } from "../storage/webhooks.ts";
import { intervalMessage, webhookMessage } from "./webhook-message.ts";

export interface SubscriptionRef {
  workspaceId: string;
  subscriptionId: string;
}

export interface ChangedSubscription extends SubscriptionRef {
  mode: string;
  /** active, paused, disabled or deleted. */
  status: string;
  revision: number;
  destinationRevision: number;
}

/** Published in the transaction of the change. Tells the delivery service that there is a newer state. */
export function subscriptionChanged({ workspaceId, ...subscription }: ChangedSubscription, at: Date): Event {
  const { subscriptionId, mode, status, revision, destinationRevision } = subscription;
  const numbers = { revision: BigInt(revision), destinationRevision: BigInt(destinationRevision) };
  return changeEvent(workspaceId, { subscriptionId, status, isFeed: mode !== "push", ...numbers }, at);
}

/** Returns when the delivery service applies the webhook's current state. Throws `service_unavailable`. */
export async function pushWebhook(context: WebhookContext, ref: SubscriptionRef): Promise<void> {
  const at = context.now();
  // One snapshot: delivery stores the intervals of one change only. An end that a later change replaced would be lost.
  const [webhook, lastIntervals] = await inTransaction(
    context.database.pool,
    (sql) => Promise.all([findWebhookOrFeed(sql, ref, at), findLastIntervals(sql, ref)]),
    { isolation: "repeatable read" },
  );
  const { workspaceId, subscriptionId } = ref;
  // A deletion is the last change, so its revision does not matter.
  if (!webhook) return context.pushChange(changeEvent(workspaceId, { subscriptionId, status: "deleted" }, at));
  const { mode, status } = webhook;
  if (mode !== "push") return;
  const state = { webhook: await webhookMessage(context, webhook), intervals: lastIntervals.map(intervalMessage) };
  await context.pushChange(changeEvent(workspaceId, { subscriptionId, status, ...state }, at));
}

function changeEvent(
  workspaceId: string,
  value: MessageInitShape<typeof SubscriptionChangedSchema>,
  occurredAt: Date,
): Event {
  return newEvent({ workspaceId, occurredAt, body: { case: "subscriptionChanged", value } });
}
