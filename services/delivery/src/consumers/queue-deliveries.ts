import { create } from "@bufbuild/protobuf";
import { externalEvent, externalEventBody } from "@canvass/events";
import { newId } from "@canvass/values";
import type { Event } from "@canvass/proto/events";
import { OccurredEventSchema, type BatchMatchWebhooksResponse, type OccurredEvent } from "@canvass/proto/webhook";
import { callOptions } from "@canvass/rpc";
import { isTraced } from "@canvass/telemetry";
import { dayOfBody } from "../domain/shown-times.ts";
import type { DeliveryQueueContext } from "../context.ts";
import type { NewDelivery } from "../storage/insert-deliveries.ts";
import { endpointKey } from "../application/worker/endpoint-queue.ts";
import { goodUntilFrom, type EndpointAnswer } from "../application/worker/endpoint-look-up.ts";

interface WebhookEvent {
  eventId: string;
  body: string;
  traceparent: string;
  /** The day that the event shows instead of its time, if it does. Delivery ids must not reveal more. */
  day: Date | undefined;
  occurred: OccurredEvent;
}

const INSERT_BATCH = 1000;

/**
 * Queues one delivery for each webhook subscribed at the time of the event; skips known ones and starts those with a
 * free slot. Throws if the webhook service is unavailable. Returns the settled events; undecided ones must be repeated.
 */
export async function queueDeliveries(context: DeliveryQueueContext, events: readonly Event[]): Promise<string[]> {
  const webhookEvents = events.flatMap(webhookEvent);
  const eventIds = events.map(({ eventId }) => eventId);
  if (webhookEvents.length === 0) return eventIds;
  const undecided = await context.fresh.during(() => queue(context, webhookEvents));
  return eventIds.filter((eventId) => !undecided.has(eventId));
}

async function queue(
  { subscriptions, now, queueNew }: DeliveryQueueContext,
  webhookEvents: readonly WebhookEvent[],
): Promise<Set<string>> {
  const askedAt = performance.now();
  const traceparent = webhookEvents.find((event) => isTraced(event.traceparent))?.traceparent;
  const matched = await subscriptions.batchMatchWebhooks(
    { events: webhookEvents.map(({ occurred }) => occurred) },
    callOptions({ traceparent }),
  );
  const answers = answersOf(matched, askedAt);
  const at = now();
  const deliveries = webhookEvents.flatMap(({ eventId, body, traceparent, day, occurred }, index) =>
    (matched.matches[index]?.subscriptionIds ?? []).map((subscriptionId): NewDelivery => {
      const { workspaceId, type } = occurred;
      return { workspaceId, subscriptionId, deliveryId: newId(day ?? at), eventId, eventType: type, body, traceparent };
    }),
  );
  // No transaction: batches are independent and repeatable.
  for (let start = 0; start < deliveries.length; start += INSERT_BATCH) {
    await queueNew(deliveries.slice(start, start + INSERT_BATCH), answers);
  }
  const undecided = webhookEvents.filter((_, index) => matched.matches[index]?.undecided);
  return new Set(undecided.map(({ eventId }) => eventId));
}

function answersOf({ endpoints }: BatchMatchWebhooksResponse, askedAt: number): Map<string, EndpointAnswer> {
  const goodUntil = goodUntilFrom(askedAt);
  return new Map(
    endpoints.flatMap(({ ref, endpoint }) =>
      ref && endpoint ? [[endpointKey(ref), { endpoint, askedAt, goodUntil }] as const] : [],
    ),
  );
}

function webhookEvent(event: Event): WebhookEvent[] {
  const external = externalEvent(event);
  if (!external) return [];
  const { workspaceId, eventId, occurredAt, traceparent } = event;
  const occurred = create(OccurredEventSchema, {
    workspaceId,
    type: external.type,
    ...(occurredAt ? { occurredAt } : {}),
  });
  const body = externalEventBody(external);
  return [{ eventId, body, traceparent, day: dayOfBody(body), occurred }];
}
