import { subscribableEventTypes, subscriptionModes, settableSubscriptionStatuses } from "@canvass/inputs";
import type { Subscription } from "@canvass/proto/webhook";
import { Type } from "typebox";
import { dateTime, id, named, nullableDateTime, words, nullableWords } from "../schemas.ts";
import { isoTime, isoTimeOrNull } from "../../plugins/responses/timestamps.ts";

const fields = {
  id,
  name: Type.String(),
  mode: words(subscriptionModes, { description: "push: a webhook; pull: an event feed" }),
  url: Type.Optional(Type.String({ description: "webhooks only" })),
  event_types: Type.Array(words(subscribableEventTypes)),
  status: words([...settableSubscriptionStatuses, "disabled"]),
  status_reason: nullableWords(["failing", "gone", "blocked"], {
    description:
      "why the platform paused (failing) or disabled it (gone: the receiver responded with 410; blocked: its URL is not allowed); null otherwise",
  }),
  consecutive_failures: Type.Integer({ description: "since the last success, resumption or change of the URL" }),
  last_success_at: nullableDateTime,
  created_at: dateTime,
  updated_at: dateTime,
};

/** A subscription as callers see it (contract 8.3, 8.5). */
export const subscriptionSchema = named("EventSubscription", fields);

export const createdSubscriptionSchema = named("CreatedEventSubscription", {
  ...fields,
  secret: Type.Optional(Type.String({ description: "signs webhooks; shown only once; absent for a feed" })),
});

export const rotatedSubscriptionSchema = named("RotatedEventSubscription", {
  ...fields,
  secret: Type.String({ description: "signs webhooks from now on; shown only once" }),
  previous_secret_expires_at: { ...dateTime, description: "until then the former secret signs as well" },
});

export function subscriptionView(subscription: Subscription) {
  const { subscriptionId, name, mode, url, eventTypes, status, statusReason } = subscription;
  return {
    id: subscriptionId,
    name,
    mode,
    ...(url !== "" && { url }),
    event_types: eventTypes,
    status,
    status_reason: statusReason || null,
    consecutive_failures: subscription.consecutiveFailures,
    last_success_at: isoTimeOrNull(subscription.lastSuccessAt),
    created_at: isoTime(subscription.createdAt),
    updated_at: isoTime(subscription.updatedAt),
  };
}
