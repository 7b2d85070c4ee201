import { externalEvent, externalEventBody, type ExternalEvent } from "@canvass/events";
import { newId } from "@canvass/values";
import type { Event } from "@canvass/proto/events";
import { dayOfBody } from "../domain/shown-times.ts";
import { takesDeliveries, type Webhook } from "../domain/webhook.ts";
import type { DeliveryQueueContext } from "../context.ts";
import type { Source } from "../application/webhooks/webhooks.ts";
import { LEASE_MS } from "../application/worker/attempts.ts";
import { release } from "../application/worker/release.ts";
import type { ClaimedDelivery } from "../storage/claimed-delivery.ts";
import { insertDeliveries, untilDurable, type NewDelivery } from "../storage/insert-deliveries.ts";

const INSERT_BATCH = 1000;
const unsent = { isRedelivery: false, attempts: 0, interruptedAt: undefined, storedAs: "delivered" } as const;

interface DeliveryTo {
  delivery: NewDelivery;
  webhook: Webhook;
}

/**
 * Queues one delivery for each webhook subscribed at the time of the event; skips known ones and starts those with a
 * free slot. Returns the settled events; undecided ones must be repeated.
 */
export async function queueDeliveries(context: DeliveryQueueContext, events: readonly Event[]): Promise<string[]> {
  const shown = events.flatMap((event) => externalEvent(event) ?? []);
  const eventIds = events.map(({ eventId }) => eventId);
  if (shown.length === 0) return eventIds;
  const undecided = await context.intake.during(async () => {
    const waiting = await queueBy("stored", context, shown);
    return await queueBy("asked", context, waiting);
  });
  const undecidedIds = new Set(undecided.map(({ eventId }) => eventId));
  return eventIds.filter((eventId) => !undecidedIds.has(eventId));
}

/** Returns the events whose webhooks that source does not know. */
async function queueBy(
  source: Source,
  context: DeliveryQueueContext,
  events: readonly ExternalEvent[],
): Promise<ExternalEvent[]> {
  if (events.length === 0) return [];
  const matches = await context.webhooks.match(events, source);
  const at = context.now();
  const deliveries = events.flatMap((event, index) => deliveriesOf(event, matches[index] ?? [], at));
  // No transaction: batches are independent and repeatable.
  for (let start = 0; start < deliveries.length; start += INSERT_BATCH) {
    await queueOrBegin(context, deliveries.slice(start, start + INSERT_BATCH));
  }
  return events.filter((_, index) => matches[index] === undefined);
}

function deliveriesOf(event: ExternalEvent, webhooks: readonly Webhook[], at: Date): DeliveryTo[] {
  const { workspaceId, eventId, type: eventType, traceparent } = event;
  const body = externalEventBody(event);
  // Ids must not reveal more than the day, if the event shows only that.
  const idTime = dayOfBody(body) ?? at;
  return webhooks.map((webhook) => {
    const { subscriptionId } = webhook;
    const deliveryId = newId(idTime);
    return { delivery: { workspaceId, subscriptionId, deliveryId, eventId, eventType, body, traceparent }, webhook };
  });
}

/** The statement that inserts those with a free slot also begins them; they are sent right after. */
async function queueOrBegin(context: DeliveryQueueContext, deliveries: readonly DeliveryTo[]): Promise<void> {
  const { queues, database } = context;
  const at = context.now();
  const takesSlot = ({ webhook }: DeliveryTo) => takesDeliveries(webhook) && queues.takeSlot(webhook);
  const grouped = Map.groupBy(deliveries, takesSlot);
  const [now, later] = [grouped.get(true) ?? [], grouped.get(false) ?? []];
  await Promise.all([begin(context, now, at), queue(context, later, at)]);
  // The attempts have begun. If a crash loses their deliveries, the events are still unacknowledged and come again.
  if (now.length > 0) await untilDurable(database.hot.sql);
}

async function queue(
  { queues, database }: DeliveryQueueContext,
  deliveries: readonly DeliveryTo[],
  at: Date,
): Promise<void> {
  if (deliveries.length === 0) return;
  const queued = deliveries.map(({ delivery }) => delivery);
  await insertDeliveries(database.hot.sql, queued, at);
  queues.queued(queued);
}

/** A known delivery, or one whose webhook has changed, releases its slot. */
async function begin(context: DeliveryQueueContext, deliveries: readonly DeliveryTo[], at: Date): Promise<void> {
  if (deliveries.length === 0) return;
  const lease = { leaseId: newId(at), leaseUntil: new Date(at.getTime() + LEASE_MS) };
  const claimed = deliveries.map(({ delivery }): ClaimedDelivery & NewDelivery => {
    return { ...delivery, ...lease, createdAt: at, ...unsent };
  });
  let begun: ReadonlyMap<string, string> = new Map();
  try {
    const revisions = deliveries.map(({ webhook }) => webhook.revision);
    begun = await insertDeliveries(context.database.hot.sql, claimed, at, { ...lease, revisions });
  } catch (error) {
    // The commit may have succeeded although its response was lost.
    await release(context, claimed);
    throw error;
  } finally {
    for (const [index, delivery] of claimed.entries()) {
      delivery.duePlace = begun.get(delivery.deliveryId);
      context.queues.useSlot(delivery, delivery.duePlace === undefined ? undefined : deliveries[index]!.webhook);
    }
  }
}
