import { timestampDate } from "@bufbuild/protobuf/wkt";
import { externalEvent, externalEventBody } from "@canvass/events";
import { newId } from "@canvass/values";
import type { Event } from "@canvass/proto/events";
import { dayOfBody } from "../domain/shown-times.ts";
import type { DeliveryQueueContext } from "../context.ts";
import type { Source } from "../application/webhooks/webhooks.ts";
import type { DeliveryTo } from "../application/worker/begin-new.ts";
import type { NewDelivery } from "../storage/insert-deliveries.ts";
import type { Occurrence } from "../storage/listening-intervals.ts";

interface WebhookEvent extends Occurrence, Omit<NewDelivery, "subscriptionId" | "deliveryId"> {
  /** The day that the event shows instead of its time, if it does. Delivery ids must not reveal more. */
  day: Date | undefined;
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
  const undecided = await context.intake.during(async () => {
    const waiting = await queue(context, webhookEvents, "stored");
    return await queue(context, waiting, "asked");
  });
  const undecidedIds = new Set(undecided.map(({ eventId }) => eventId));
  return eventIds.filter((eventId) => !undecidedIds.has(eventId));
}

/** Returns the events whose webhooks that source does not know. */
async function queue(
  { webhooks, now, queueNew }: DeliveryQueueContext,
  webhookEvents: readonly WebhookEvent[],
  source: Source,
): Promise<WebhookEvent[]> {
  if (webhookEvents.length === 0) return [];
  const matches = await webhooks.match(webhookEvents, source);
  const at = now();
  const deliveries = webhookEvents.flatMap(({ day, ...event }, index) =>
    (matches[index] ?? []).map((webhook): DeliveryTo => {
      const { subscriptionId } = webhook;
      return { delivery: { ...event, subscriptionId, deliveryId: newId(day ?? at) }, webhook };
    }),
  );
  // No transaction: batches are independent and repeatable.
  for (let start = 0; start < deliveries.length; start += INSERT_BATCH) {
    await queueNew(deliveries.slice(start, start + INSERT_BATCH));
  }
  return webhookEvents.filter((_, index) => matches[index] === undefined);
}

function webhookEvent(event: Event): WebhookEvent[] {
  const external = externalEvent(event);
  if (!external) return [];
  const { workspaceId, eventId, traceparent } = event;
  const occurredAt = event.occurredAt ? timestampDate(event.occurredAt) : new Date(0);
  const body = externalEventBody(external);
  return [{ workspaceId, eventId, eventType: external.type, occurredAt, body, traceparent, day: dayOfBody(body) }];
}
