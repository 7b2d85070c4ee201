import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { auditEvent } from "@canvass/events";
import { newId } from "@canvass/values";
import type { UpdateSubscriptionResponseSchema } from "@canvass/proto/webhook";
import type { Call } from "@canvass/rpc";
import type { WebhookContext, WebhookTransaction } from "../context.ts";
import { effectsOf, type PatchEffects, type SubscriptionPatch } from "../domain/subscription-patch.ts";
import { urlDigest } from "../domain/url-digest.ts";
import { insertInterval, saveIntervalEnd } from "../storage/listening-intervals.ts";
import {
  lockSubscription,
  lockSubscriptions,
  saveSubscription,
  timeOfChange,
  type StoredSubscription,
  type SubscriptionChanges,
} from "../storage/subscriptions.ts";
import { auditedSubscription } from "./audited-subscription.ts";
import { requireFreeUrl } from "./require-free-url.ts";
import { subscriptionMessage } from "./subscription-message.ts";
import { subscriptionChanged } from "./webhook-change.ts";
import { hostOf, webhookNotification, webhookRef } from "./webhook-notification.ts";

export interface CheckedPatch {
  subscriptionId: string;
  patch: SubscriptionPatch;
  url: URL | undefined;
  /** The URL whose destination was checked. A webhook is resumed only if it still has this URL. */
  checkedUrl: string | null | undefined;
}

/** Another request has stopped or moved the webhook, so its current URL was not checked. */
export class MovedMeanwhile extends Error {}

/** A patch that changes nothing publishes nothing. Throws MovedMeanwhile. */
export async function applyPatch(
  { now }: WebhookContext,
  transaction: WebhookTransaction,
  call: Call,
  { subscriptionId, patch, url, checkedUrl }: CheckedPatch,
): Promise<MessageInitShape<typeof UpdateSubscriptionResponseSchema>> {
  const { workspaceId } = call.caller;
  const { prisma, sql, publish } = transaction;
  if (url) await lockSubscriptions(sql, workspaceId);
  const before = await lockSubscription(sql, prisma, workspaceId, subscriptionId);
  if (!before) throw new AppError("subscription_not_found");
  const effects = effectsOf(before, patch);
  const urlAfter = patch.url ?? before.url;
  if (effects.resumes && urlAfter !== null && urlAfter !== checkedUrl) throw new MovedMeanwhile();
  if (!Object.values(effects).includes(true)) return { subscription: subscriptionMessage(before) };
  const urlSha256 = url && urlDigest(url);
  if (urlSha256) await requireFreeUrl(prisma, { workspaceId, urlSha256 }, subscriptionId);
  const at = timeOfChange(before, now());
  const after = await saveSubscription(prisma, before, changesOf(before, patch, urlSha256, effects, at), at);
  await saveListening(prisma, after, effects, at);
  const { moves } = effects;
  const states = { before: auditedSubscription(before), after: { ...auditedSubscription(after), ...urlChange(moves) } };
  await publish(
    subscriptionChanged(after, at),
    auditEvent(call, { source: "webhook", at, action: "subscription.updated", resourceId: subscriptionId, ...states }),
  );
  if (moves) {
    const value = { webhook: webhookRef(after), previousHost: hostOf(before.url) };
    await publish(
      webhookNotification({ workspaceId, at, caller: call.caller }, { case: "webhookAddressChanged", value }),
    );
  }
  return { subscription: subscriptionMessage(after) };
}

const urlChange = (moves: boolean) => (moves ? { url_changed: true } : {});

/** Moving or resuming resets the failure count (contract 8.5). */
function changesOf(
  { revision }: StoredSubscription,
  { name, url, eventTypes }: SubscriptionPatch,
  urlSha256: string | undefined,
  { moves, resumes, pauses }: PatchEffects,
  at: Date,
): SubscriptionChanges {
  return {
    ...(name !== undefined && { name }),
    ...(eventTypes && { eventTypes: [...eventTypes] }),
    ...(url !== undefined && { url, urlSha256: urlSha256! }),
    ...(pauses && { status: "paused" }),
    ...(resumes && { status: "active", statusReason: "" }),
    ...((moves || resumes) && { consecutiveFailures: 0, destinationRevision: revision + 1, activeSince: at }),
  };
}

async function saveListening(
  prisma: WebhookTransaction["prisma"],
  { workspaceId, subscriptionId, eventTypes, status }: StoredSubscription,
  { pauses, resumes, listensToOthers }: PatchEffects,
  at: Date,
): Promise<void> {
  if (!pauses && !resumes && !listensToOthers) return;
  await saveIntervalEnd(prisma, workspaceId, subscriptionId, at);
  if (status !== "active") return;
  await insertInterval(prisma, { workspaceId, subscriptionId, intervalId: newId(at), eventTypes, startedAt: at });
}
