import { timestampDate } from "@bufbuild/protobuf/wkt";
import { includesWebhooks } from "@canvass/access";
import type { Event } from "@canvass/proto/events";
import type { DeliveryContext } from "../context.ts";
import { cancelDeliveries } from "../storage/cancel-deliveries.ts";
import { hasQueued, queuedEndpoints } from "../storage/queued-deliveries.ts";

/**
 * Cancels what a workspace had queued when it moved to a plan without webhooks (contract 8.2); what was queued later
 * is left alone, so repetitions and the order of the events do not matter. Returns the events with which it is done:
 * while an attempt is under way its delivery may become pending again, so such an event has to come again.
 */
export async function cancelWithoutPlan(context: DeliveryContext, events: readonly Event[]): Promise<string[]> {
  const done: string[] = [];
  for (const event of events) if (await cancelFor(context, event)) done.push(event.eventId);
  return done;
}

async function cancelFor(
  { database: { sql }, now }: DeliveryContext,
  { workspaceId, occurredAt, body }: Event,
): Promise<boolean> {
  if (body.case !== "workspacePlanChanged" || !occurredAt || includesWebhooks(body.value.plan)) return true;
  const createdUntil = timestampDate(occurredAt);
  for (const endpoint of await queuedEndpoints(sql, workspaceId)) {
    await cancelDeliveries(sql, endpoint, { createdUntil, now: now() });
  }
  return !(await hasQueued(sql, workspaceId, createdUntil));
}
