import { timestampDate } from "@bufbuild/protobuf/wkt";
import { includesWebhooks } from "@canvass/access";
import { storePlanChanges } from "@canvass/plan-history";
import type { Event } from "@canvass/proto/events";
import type { DeliveryContext } from "../context.ts";
import { cancelDeliveries } from "../storage/cancel-deliveries.ts";
import { hasQueued, findQueuedEndpoints } from "../storage/queued-deliveries.ts";

/**
 * Stores plan changes, and cancels the queues of workspaces whose plan lost webhooks (contract 8.2). Returns the
 * settled events. Others come again: an attempt in flight may queue its delivery again.
 */
export async function cancelWithoutPlan(context: DeliveryContext, events: readonly Event[]): Promise<string[]> {
  await storePlanChanges(context.database.sql, events);
  const done: string[] = [];
  for (const event of events) if (await cancelFor(context, event)) done.push(event.eventId);
  return done;
}

async function cancelFor(
  { database: { prisma, sql }, now }: DeliveryContext,
  { workspaceId, occurredAt, body }: Event,
): Promise<boolean> {
  if (body.case !== "workspacePlanChanged" || !occurredAt || includesWebhooks(body.value.plan)) return true;
  const createdUntil = timestampDate(occurredAt);
  for (const endpoint of await findQueuedEndpoints(prisma, workspaceId)) {
    await cancelDeliveries(sql, endpoint, { because: "plan", createdUntil, now: now() });
  }
  return !(await hasQueued(sql, workspaceId, createdUntil));
}
