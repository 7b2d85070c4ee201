import { create } from "@bufbuild/protobuf";
import { externalEvent, externalEventBody } from "@canvass/events";
import { newId } from "@canvass/inputs";
import type { Event } from "@canvass/proto/events";
import { OccurredEventSchema, type OccurredEvent } from "@canvass/proto/webhook";
import type { DeliveryQueueContext } from "../context.ts";
import { insertDeliveries, type NewDelivery } from "../storage/insert-deliveries.ts";

interface WebhookEvent {
  eventId: string;
  body: string;
  occurred: OccurredEvent;
}

const INSERT_BATCH = 1000;

/**
 * Queues one delivery for each webhook that listened at the time of the event; skips known ones. Throws when the
 * webhook service is away, so that the events are repeated.
 */
export async function queueDeliveries(
  { database, subscriptions, now, nudgeWorker }: DeliveryQueueContext,
  events: readonly Event[],
): Promise<void> {
  const webhookEvents = events.flatMap(webhookEvent);
  if (webhookEvents.length === 0) return;
  const { matches } = await subscriptions.batchMatchWebhooks({ events: webhookEvents.map(({ occurred }) => occurred) });
  const at = now();
  const deliveries = webhookEvents.flatMap(({ eventId, body, occurred }, index) =>
    (matches[index]?.subscriptionIds ?? []).map((subscriptionId): NewDelivery => {
      const { workspaceId, type } = occurred;
      return { workspaceId, subscriptionId, deliveryId: newId(at), eventId, eventType: type, body };
    }),
  );
  // No transaction: batches are independent and repeatable.
  for (let start = 0; start < deliveries.length; start += INSERT_BATCH) {
    await insertDeliveries(database.sql, deliveries.slice(start, start + INSERT_BATCH), at);
  }
  nudgeWorker();
}

function webhookEvent(event: Event): WebhookEvent[] {
  const external = externalEvent(event);
  if (!external) return [];
  const { workspaceId, eventId, occurredAt } = event;
  const occurred = create(OccurredEventSchema, {
    workspaceId,
    type: external.type,
    ...(occurredAt ? { occurredAt } : {}),
  });
  return [{ eventId, body: externalEventBody(external), occurred }];
}
