import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Event, SubscriptionChanged } from "@canvass/proto/events";
import type { DeliveryQueueContext } from "../context.ts";
import { oldestToSend } from "../domain/retry-window.ts";
import { cancelDeliveries } from "../storage/cancel-deliveries.ts";
import type { EndpointRef } from "../storage/claimed-delivery.ts";
import { deleteEndpoint, wakeEndpoint } from "../storage/endpoints.ts";

/** Resumed webhooks continue at once (contract 8.5). A deletion is handled again while an attempt is in flight. */
export async function followSubscriptions(
  context: DeliveryQueueContext,
  events: readonly Event[],
): Promise<readonly string[]> {
  const done: string[] = [];
  for (const event of events) if (await follow(context, event)) done.push(event.eventId);
  return done;
}

async function follow(context: DeliveryQueueContext, { workspaceId, occurredAt, body }: Event): Promise<boolean> {
  if (body.case !== "subscriptionChanged" || !occurredAt) return true;
  const endpoint = { workspaceId, subscriptionId: body.value.subscriptionId };
  if (body.value.status === "deleted") return forget(context, endpoint);
  if (isResumed(body.value)) await resume(context, endpoint, timestampDate(occurredAt));
  return true;
}

/** Also true if the webhook was moved to another URL. */
const isResumed = ({ status, revision, destinationRevision }: SubscriptionChanged) =>
  status === "active" && revision > 1n && revision === destinationRevision;

async function resume(
  { database: { sql }, now, nudgeWorker }: DeliveryQueueContext,
  endpoint: EndpointRef,
  resumedAt: Date,
): Promise<void> {
  await cancelDeliveries(sql, endpoint, { because: "too_old", createdUntil: oldestToSend(resumedAt), now: now() });
  await wakeEndpoint(sql, endpoint, now());
  nudgeWorker();
}

async function forget({ database: { sql, pool }, now }: DeliveryQueueContext, endpoint: EndpointRef): Promise<boolean> {
  await cancelDeliveries(sql, endpoint, { because: "deleted", createdUntil: now(), now: now() });
  return deleteEndpoint(pool, endpoint);
}
