import { timestampDate } from "@bufbuild/protobuf/wkt";
import { externalEvent, externalEventBody } from "@canvass/events";
import { newId } from "@canvass/values";
import type { Event } from "@canvass/proto/events";
import { dayOfBody } from "../domain/shown-times.ts";
import type { DeliveryQueueContext } from "../context.ts";
import type { DeliveryTo } from "../application/worker/begin-new.ts";
import type { Occurrence } from "../storage/listening-intervals.ts";

interface WebhookEvent {
  eventId: string;
  body: string;
  traceparent: string;
  /** The day that the event shows instead of its time, if it does. Delivery ids must not reveal more. */
  day: Date | undefined;
  occurred: Occurrence;
}

const INSERT_BATCH = 1000;

/**
 * Queues one delivery for each webhook subscribed at the time of the event; skips known ones and starts those with a
 * free slot. Returns the settled events; undecided ones must be repeated.
 */
export async function queueDeliveries(context: DeliveryQueueContext, events: readonly Event[]): Promise<string[]> {
  const webhookEvents = events.flatMap(webhookEvent);
  const eventIds = events.map(({ eventId }) => eventId);
  if (webhookEvents.length === 0) return eventIds;
  const undecided = await context.intake.during(() => queue(context, webhookEvents));
  return eventIds.filter((eventId) => !undecided.has(eventId));
}

async function queue(
  { webhooks, now, queueNew }: DeliveryQueueContext,
  webhookEvents: readonly WebhookEvent[],
): Promise<Set<string>> {
  const matches = await webhooks.match(webhookEvents.map(({ occurred }) => occurred));
  const at = now();
  const deliveries = webhookEvents.flatMap(({ eventId, body, traceparent, day, occurred }, index) =>
    (matches[index] ?? []).map((webhook): DeliveryTo => {
      const { workspaceId, subscriptionId } = webhook;
      const event = { eventId, eventType: occurred.type, body, traceparent };
      const deliveryId = newId(day ?? at);
      return { delivery: { workspaceId, subscriptionId, deliveryId, ...event }, webhook };
    }),
  );
  // No transaction: batches are independent and repeatable.
  for (let start = 0; start < deliveries.length; start += INSERT_BATCH) {
    await queueNew(deliveries.slice(start, start + INSERT_BATCH));
  }
  const undecided = webhookEvents.filter((_, index) => matches[index] === undefined);
  return new Set(undecided.map(({ eventId }) => eventId));
}

function webhookEvent(event: Event): WebhookEvent[] {
  const external = externalEvent(event);
  if (!external) return [];
  const { workspaceId, eventId, occurredAt, traceparent } = event;
  const occurred = {
    workspaceId,
    type: external.type,
    occurredAt: occurredAt ? timestampDate(occurredAt) : new Date(0),
  };
  const body = externalEventBody(external);
  return [{ eventId, body, traceparent, day: dayOfBody(body), occurred }];
}
