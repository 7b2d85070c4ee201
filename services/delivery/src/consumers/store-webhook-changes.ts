import { inTransaction, type Sql } from "@canvass/postgres";
import type { Event, SubscriptionChanged } from "@canvass/proto/events";
import { intervalFromMessage, webhookFromMessage } from "../application/webhooks/webhook-from-message.ts";
import type { DeliveryQueueContext } from "../context.ts";
import { compareVersions, type WebhookChange } from "../domain/webhook.ts";
import { cancelSome } from "../storage/cancel-deliveries.ts";
import type { EndpointRef } from "../storage/claimed-delivery.ts";
import { deleteIdleEndpoint, wakeEndpoint } from "../storage/endpoints.ts";
import { countChange, lockWorkspace } from "../storage/known-workspaces.ts";
import { putIntervals } from "../storage/listening-intervals.ts";
import { deleteWebhook, findWebhookVersion, putWebhooks } from "../storage/webhooks.ts";

/** Batches of 1,000 deliveries that are cancelled at once: the request that deletes the webhook waits for them. */
const MOST_BATCHES = 5;

/**
 * Stores changes of webhooks. The webhook service hands the state over before it responds to a request. The event on
 * the bus only tells that there is a newer one. A worker then continues, holds or cancels the queue.
 */
export async function storeWebhookChanges(context: DeliveryQueueContext, events: readonly Event[]): Promise<void> {
  for (const { workspaceId, body } of events) {
    if (body.case === "subscriptionChanged" && !body.value.isFeed) await store(context, workspaceId, body.value);
  }
}

async function store(context: DeliveryQueueContext, workspaceId: string, changed: SubscriptionChanged): Promise<void> {
  const { database, now, nudgeWorker } = context;
  const endpoint = { workspaceId, subscriptionId: changed.subscriptionId };
  const change = await inTransaction(
    database.pool,
    async (sql) => {
      const isKnown = await lockWorkspace(sql, workspaceId);
      const found = isKnown ? await follow(sql, endpoint, changed, now()) : "unrelated";
      if (found === "repeated") return found;
      await countChange(sql, workspaceId, found === "next");
      await wakeEndpoint(sql, endpoint);
      return found;
    },
    { retryOnce: true },
  );
  // With an empty id, any webhook may have changed: the next use of the workspace fetches all.
  if (change === "unrelated" && changed.subscriptionId !== "") await context.refreshWebhooks(workspaceId);
  if (changed.status === "deleted") await dropQueue(context, endpoint);
  if (change !== "repeated") nudgeWorker();
}

/** Stores a change that is the next one. */
async function follow(
  sql: Sql,
  endpoint: EndpointRef,
  { webhook: message, intervals, revision, status }: SubscriptionChanged,
  now: Date,
): Promise<WebhookChange> {
  const stored = await findWebhookVersion(sql, endpoint);
  if (stored?.status === "deleted") return "repeated";
  if (status === "deleted") {
    if (!stored) return "repeated";
    await deleteWebhook(sql, endpoint, now);
    return "next";
  }
  if (!message) return stored && stored.revision >= Number(revision) ? "repeated" : "unrelated";
  const webhook = webhookFromMessage(endpoint.workspaceId, message);
  const change = compareVersions(stored, webhook);
  if (change !== "next") return change;
  await putWebhooks(sql, [webhook]);
  await putIntervals(
    sql,
    intervals.map((interval) => intervalFromMessage(endpoint.workspaceId, interval)),
  );
  return change;
}

/** Cancels what is queued. The worker cancels the rest of a long queue as it becomes due. */
async function dropQueue({ database: { pool, sql }, now }: DeliveryQueueContext, endpoint: EndpointRef): Promise<void> {
  const at = now();
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    if (await cancelSome(sql, endpoint, { because: "deleted", createdUntil: at, now: at })) continue;
    await deleteIdleEndpoint(pool, endpoint);
    return;
  }
}
