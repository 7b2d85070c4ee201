import { inTransaction, type Sql } from "@canvass/postgres";
import type { Event, SubscriptionChanged } from "@canvass/proto/events";
import { intervalFromMessage, webhookFromMessage } from "../application/webhooks/webhook-from-message.ts";
import type { DeliveryQueueContext } from "../context.ts";
import { compareVersions } from "../domain/webhook.ts";
import { cancelSome } from "../storage/cancel-deliveries.ts";
import type { EndpointRef } from "../storage/claimed-delivery.ts";
import { deleteEndpoint, wakeEndpoint } from "../storage/endpoints.ts";
import { countChange, setKnown } from "../storage/known-workspaces.ts";
import { putIntervals } from "../storage/listening-intervals.ts";
import { deleteWebhook, findWebhookVersion, putWebhooks } from "../storage/webhooks.ts";

/** Of 1,000 deliveries: the request that deletes the webhook waits for them. */
const MOST_BATCHES = 5;

/**
 * Stores changes of webhooks. The webhook service hands the state over before it responds to a request; the event on the
 * bus only tells that there is a newer one. A worker then continues, holds or cancels the queue.
 */
export async function storeWebhookChanges(context: DeliveryQueueContext, events: readonly Event[]): Promise<void> {
  for (const { workspaceId, body } of events) {
    if (body.case === "subscriptionChanged" && !body.value.isFeed) await store(context, workspaceId, body.value);
  }
}

async function store(context: DeliveryQueueContext, workspaceId: string, changed: SubscriptionChanged): Promise<void> {
  const { database, now, nudgeWorker } = context;
  const endpoint = { workspaceId, subscriptionId: changed.subscriptionId };
  const isStored = await inTransaction(
    database.pool,
    async (sql) => {
      const isKnown = await countChange(sql, workspaceId);
      const follows = isKnown && (await follow(sql, endpoint, changed, now()));
      if (!follows) await setKnown(sql, [workspaceId], false);
      await wakeEndpoint(sql, endpoint, now());
      return follows;
    },
    { retryOnce: true },
  );
  // Without a webhook the change is still to come.
  if (!isStored && changed.subscriptionId !== "") await context.learnWebhooks(workspaceId);
  if (changed.status === "deleted") await dropQueue(context, endpoint);
  nudgeWorker();
}

/** Returns false if what is stored is out of date and stays so: the workspace must be asked for. */
async function follow(sql: Sql, endpoint: EndpointRef, changed: SubscriptionChanged, now: Date): Promise<boolean> {
  const stored = await findWebhookVersion(sql, endpoint);
  if (changed.status === "deleted") {
    await deleteWebhook(sql, endpoint, now);
    return true;
  }
  const { webhook: message, intervals, revision } = changed;
  if (!message) return stored !== undefined && (stored.status === "deleted" || stored.revision >= Number(revision));
  const webhook = webhookFromMessage(endpoint.workspaceId, message);
  const change = compareVersions(stored, webhook);
  if (change !== "next") return change === "repeated";
  await putWebhooks(sql, [webhook]);
  await putIntervals(
    sql,
    intervals.map((interval) => intervalFromMessage(endpoint.workspaceId, interval)),
  );
  return true;
}

/** Cancels what is queued. The worker cancels the rest of a long queue as it becomes due. */
async function dropQueue({ database: { pool, sql }, now }: DeliveryQueueContext, endpoint: EndpointRef): Promise<void> {
  const at = now();
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    if (await cancelSome(sql, endpoint, { because: "deleted", createdUntil: at, now: at })) continue;
    await deleteEndpoint(pool, endpoint);
    return;
  }
}
