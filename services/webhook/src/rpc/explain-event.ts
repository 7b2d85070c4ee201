import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import { isId } from "@canvass/values";
import type { ExplainEventRequest, ExplainEventResponseSchema, ListenerSchema } from "@canvass/proto/webhook";
import type { Call } from "@canvass/rpc";
import type { WebhookContext } from "../context.ts";
import { findFeedEntry, type StoredEntry } from "../storage/feed.ts";
import { findSubscriptionsAt, planHadWebhooksAt, type Listener } from "../storage/listeners.ts";

/** Returns who listened (contract 8.16). An event that is not in the feed is known by its deliveries. */
export async function explainEvent(
  { database: { sql } }: WebhookContext,
  { eventId, delivered }: ExplainEventRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof ExplainEventResponseSchema>> {
  const entry = isId(eventId) ? await findFeedEntry(sql, workspaceId, eventId) : undefined;
  const known = entry ?? knownByDelivery(delivered);
  if (!known) throw new AppError("event_not_found");
  // With full anonymity an event shows only its day. Then the time of storage is used, but not returned.
  const approximate = known.timestamp.endsWith("T00:00:00.000Z");
  const happenedAt = new Date(known.timestamp);
  const evaluatedAt = approximate ? known.storedAt : happenedAt;
  const planHadWebhooks = await planHadWebhooksAt(sql, workspaceId, evaluatedAt);
  const found = await findSubscriptionsAt(sql, workspaceId, evaluatedAt, known.type);
  const listeners = found.map((listener) => listenerMessage(listener, evaluatedAt, planHadWebhooks));
  return {
    ...(entry && { event: entry }),
    happenedAt: timestampFromDate(happenedAt),
    approximate,
    planHadWebhooks,
    listeners,
  };
}

function knownByDelivery(
  delivered: ExplainEventRequest["delivered"],
): Pick<StoredEntry, "type" | "timestamp" | "storedAt"> | undefined {
  if (!delivered?.queuedAt) return undefined;
  const { type, timestamp, queuedAt } = delivered;
  return { type, timestamp, storedAt: timestampDate(queuedAt) };
}

function listenerMessage(
  listener: Listener,
  at: Date,
  planHadWebhooks: boolean,
): MessageInitShape<typeof ListenerSchema> {
  const { subscriptionId, name, mode, status, statusReason, createdAt, activeBefore, activeAfter } = listener;
  const absence = whyNotListening(listener, at, planHadWebhooks);
  const inactive = absence === "not_active";
  return {
    subscriptionId,
    name: name ?? "",
    mode: mode ?? "",
    status: status ?? "deleted",
    statusReason: statusReason ?? "",
    absence,
    ...(createdAt && { createdAt: timestampFromDate(createdAt) }),
    ...(inactive && activeBefore && { absentFrom: timestampFromDate(activeBefore) }),
    ...(inactive && activeAfter && { absentUntil: timestampFromDate(activeAfter) }),
  };
}

function whyNotListening({ createdAt, listened, active }: Listener, at: Date, planHadWebhooks: boolean): string {
  if (createdAt && createdAt > at) return "not_created";
  if (!planHadWebhooks) return "plan";
  if (listened) return "";
  return active ? "other_types" : "not_active";
}
