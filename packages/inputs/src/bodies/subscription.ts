import { Type, type Static } from "typebox";
import { closed, nameText, word } from "../fields.ts";

/** Webhooks and feeds of a workspace (contract 8.3). */
export const mostSubscriptions = 20;
export const longestSubscriptionName = 100;
export const longestWebhookUrl = 2048;
/** Items of a longer list are not validated. */
export const mostEventTypes = 100;

/** Event types that a subscription can name (contract 8.1). Only the test operation sends `webhook.test`. */
export const subscribableEventTypes = ["response.completed"] as const;

export const defaultEventTypes: readonly string[] = ["response.completed"];

/** Webhooks are pushed, feeds pulled. */
export const subscriptionModes = ["push", "pull"] as const;

export const settableSubscriptionStatuses = ["active", "paused"] as const;

const name = nameText(longestSubscriptionName, "what people call the subscription");

const url = (left: string) =>
  Type.String({
    pattern: "^[Hh][Tt][Tt][Pp][Ss]://[^/\\s][^\\s]*$",
    maxLength: longestWebhookUrl,
    description: `https, without user and password, to a public address on a port that is allowed (443); ${left}`,
  });

const eventTypes = (options: { description?: string }) =>
  Type.Array(word(subscribableEventTypes), { minItems: 1, maxItems: mostEventTypes, uniqueItems: true, ...options });

export const createSubscriptionBody = closed({
  name,
  url: Type.Optional(url("leave out for a feed")),
  event_types: Type.Optional(eventTypes({ description: `default: ${defaultEventTypes.join(", ")}` })),
});

export const updateSubscriptionBody = closed(
  {
    name: Type.Optional(name),
    url: Type.Optional(url("webhooks only, since the mode never changes")),
    event_types: Type.Optional(eventTypes({ description: "the full list" })),
    status: Type.Optional(
      word(settableSubscriptionStatuses, {
        description:
          "`active` resumes a paused or disabled webhook; `paused` stops sending and keeps queued deliveries",
      }),
    ),
  },
  { minProperties: 1 },
);

export type CreateSubscriptionBody = Static<typeof createSubscriptionBody>;
export type UpdateSubscriptionBody = Static<typeof updateSubscriptionBody>;
