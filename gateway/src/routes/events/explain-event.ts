import { subscriptionModes, settableSubscriptionStatuses } from "@canvass/inputs";
import { create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { EventDelivery } from "@canvass/proto/delivery";
import { ListenerSchema, type ExplainEventResponse, type Listener } from "@canvass/proto/webhook";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { deliveryFields, deliveryView } from "../event-subscriptions/delivery-view.ts";
import { requireMessage } from "../require-message.ts";
import { dateTime, envelope, id, idParam, named, nullableText, words, nullableWords, eventTypes } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";
import { absenceWords, deliveryWords, withoutDeliveryWords, type EventState } from "./explain-words.ts";

const inWords = Type.String({ description: "for people to read" });

const explainedDelivery = named("ExplainedDelivery", { ...deliveryFields, explanation: inWords });

const explainedSubscription = named("ExplainedSubscription", {
  id,
  name: { ...nullableText, description: "null if the subscription was deleted" },
  mode: nullableWords(subscriptionModes, { description: "null if the subscription was deleted" }),
  status: words([...settableSubscriptionStatuses, "disabled", "deleted"], { description: "its current status" }),
  listening: Type.Boolean({ description: "whether it received the event, by its state when the event happened" }),
  explanation: inWords,
  deliveries: Type.Array(explainedDelivery, { description: "newest first, at most five" }),
});

const explanationSchema = named("EventExplanation", {
  id: Type.String({ description: "equal to a webhook's webhook-id" }),
  type: words(eventTypes),
  happened_at: dateTime,
  is_approximate: Type.Boolean({
    description:
      "true for surveys with full anonymity: the event has only its day, so the time at which it was stored decides",
  }),
  in_feed: Type.Boolean({ description: "whether `GET /events` still has it" }),
  plan_had_webhooks: Type.Boolean(),
  has_more_deliveries: Type.Boolean({ description: "there are older redeliveries" }),
  subscriptions: Type.Array(explainedSubscription, { description: "oldest first" }),
});

const description = `Returns for every subscription of the workspace whether it listened when the event happened, the reason if not, and its deliveries with
attempts and the next step. Works for 30 days after the event, and as long as its deliveries are kept.`;

export function registerExplainEventRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/events/:eventId/explain",
    {
      config: { scope: "events:read", errors: ["event_not_found"] },
      schema: {
        operationId: "explainEvent",
        tags: ["Events"],
        summary: "Explain why an event was or was not delivered",
        description,
        params: Type.Object({ eventId: idParam("id of an event, which is the webhook-id of its deliveries") }),
        response: { 200: envelope("What became of the event", explanationSchema) },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      const { clients, now } = context;
      const options = rpcOptions(context, request);
      const { deliveries, hasMore } = await clients.deliveries.listEventDeliveries({ eventId }, options);
      const explained = await clients.feed.explainEvent(
        { eventId, ...occurrenceOf(deliveries) },
        rpcOptions(context, request),
      );
      const data = { id: eventId, ...explanationView(explained, deliveries, now()), has_more_deliveries: hasMore };
      return respond(context, reply, { data });
    },
  );
}

/** Describes the event by its oldest delivery, in case it has left the feed. */
function occurrenceOf(deliveries: readonly EventDelivery[]) {
  const first = deliveries.toSorted((a, b) => createdAt(a) - createdAt(b))[0];
  if (!first?.delivery?.createdAt) return {};
  const { eventType: type, createdAt: queuedAt } = first.delivery;
  return { delivered: { type, timestamp: first.eventTimestamp, queuedAt } };
}

const createdAt = ({ delivery }: EventDelivery): number => Number(delivery?.createdAt?.seconds ?? 0n);

function explanationView(explained: ExplainEventResponse, deliveries: readonly EventDelivery[], now: Date) {
  const { event, approximate, planHadWebhooks, listeners } = explained;
  const state = { inFeed: event !== undefined, happenedAt: timestampDate(requireMessage(explained.happenedAt)), now };
  const own = Map.groupBy(deliveries, ({ subscriptionId }) => subscriptionId);
  return {
    type: event?.type ?? deliveries[0]?.delivery?.eventType ?? "",
    happened_at: isoTime(explained.happenedAt),
    is_approximate: approximate,
    in_feed: state.inFeed,
    plan_had_webhooks: planHadWebhooks,
    subscriptions: withDeleted(listeners, own.keys()).map((listener) =>
      subscriptionView(listener, own.get(listener.subscriptionId) ?? [], state),
    ),
  };
}

/** The webhook service forgets after 30 days that a deleted subscription listened; a redelivery can be newer. */
function withDeleted(listeners: readonly Listener[], deliveredTo: Iterable<string>): Listener[] {
  const known = new Set(listeners.map(({ subscriptionId }) => subscriptionId));
  const deleted = [...deliveredTo]
    .filter((subscriptionId) => !known.has(subscriptionId))
    .map((subscriptionId) => create(ListenerSchema, { subscriptionId, status: "deleted" }));
  return [...listeners, ...deleted].toSorted((a, b) => (a.subscriptionId < b.subscriptionId ? -1 : 1));
}

/** A delivery proves that the subscription listened, even if the event's time is only approximate. */
function subscriptionView(listener: Listener, deliveries: readonly EventDelivery[], state: EventState) {
  const { subscriptionId, name, mode, status } = listener;
  const [newest] = deliveries;
  const listening = newest !== undefined || listener.absence === "";
  const explainSilence = () => (listening ? withoutDeliveryWords(listener, state) : absenceWords(listener));
  return {
    id: subscriptionId,
    name: status === "deleted" ? null : name,
    mode: mode || null,
    status,
    listening,
    explanation: newest ? deliveryWords(newest, listener, state.now) : explainSilence(),
    deliveries: deliveries.map((one) => ({
      ...deliveryView(requireMessage(one.delivery)),
      explanation: deliveryWords(one, listener, state.now),
    })),
  };
}
