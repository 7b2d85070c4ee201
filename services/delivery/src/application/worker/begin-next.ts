import { createBatcher } from "@canvass/fairness";
import { newId } from "@canvass/values";
import { inTransaction } from "@canvass/postgres";
import type { DeliveryContext } from "../../context.ts";
import type { Webhook } from "../../domain/webhook.ts";
import { beginDue, type BegunDelivery, type DueEndpoint } from "../../storage/begin-due.ts";
import type { Lease } from "../../storage/claimed-delivery.ts";
import { findWebhooks } from "../../storage/webhooks.ts";
import { BEGINNING, endpointKey, type EndpointQueue } from "./endpoint-queue.ts";
import { LEASE_MS } from "./attempts.ts";

const MAX_BATCH = 500;
/** A statement costs as much as ten of its rows. */
const LINGER = { ms: 3, enough: 25 };
/** Other workers hold locks for moments only. */
const REST_MS = 50;

export interface BegunAttempt {
  delivery: BegunDelivery;
  /** Where it goes, read after the attempt was begun. */
  webhook: Webhook | undefined;
}

/**
 * Begins a queue's next attempt, in batches. Undefined: nothing is due, or the database is unavailable. Never rejects:
 * if only the response of a commit is lost, the attempt counts when its lease ends, as after a kill.
 */
export function createBeginNext(context: DeliveryContext) {
  const { now, log } = context;
  return createBatcher<EndpointQueue, BegunAttempt | undefined>({
    maxSize: MAX_BATCH,
    maxInFlight: 1,
    linger: LINGER,
    maxQueued: Number.POSITIVE_INFINITY,
    send: async (queues) => {
      const at = now();
      const wanted = [...Map.groupBy(queues, (queue) => queue)].map(([queue, { length }]) => ({
        queue,
        count: length,
      }));
      const lease = { leaseId: newId(at), leaseUntil: new Date(at.getTime() + LEASE_MS) };
      try {
        const endpoints = wanted.map(({ queue: { workspaceId, subscriptionId, plannedFrom }, count }) => {
          return { workspaceId, subscriptionId, plannedFrom, count };
        });
        const { rows, webhooks } = await begin(context, endpoints, lease, at);
        const begun = Map.groupBy(rows, endpointKey);
        for (const { queue, count } of wanted) goOn(queue, begun.get(endpointKey(queue)) ?? [], count);
        return queues.map((queue) => {
          const delivery = begun.get(endpointKey(queue))?.shift();
          return delivery && { delivery, webhook: webhooks.get(endpointKey(queue)) };
        });
      } catch (error) {
        log.warn({ err: error, deliveries: queues.length }, "attempts could not be begun");
        for (const { queue } of wanted) queue.due = 0;
        return queues.map(() => undefined);
      }
    },
  });
}

/** Reads the webhooks in the same transaction, once for all their attempts. All statements leave together. */
async function begin(
  { database, webhooks }: DeliveryContext,
  endpoints: readonly DueEndpoint[],
  lease: Lease,
  at: Date,
): Promise<{ rows: BegunDelivery[]; webhooks: Map<string, Webhook> }> {
  const { answers } = await inTransaction(database.hot.pool, async (sql, last) => {
    const answers = Promise.all([beginDue(sql, endpoints, lease, at), findWebhooks(sql, endpoints)]);
    last(answers);
    return { answers };
  });
  const [rows, found] = await answers;
  const opened = found.flatMap(({ isKnown, webhook }) => (isKnown && webhook ? [webhooks.open(webhook)] : []));
  return { rows, webhooks: new Map(opened.map((webhook) => [endpointKey(webhook), webhook])) };
}

/** The scan continues where it was, since the index still has the rows that were sent. At its end it starts once more. */
function goOn(queue: EndpointQueue, begun: readonly BegunDelivery[], wanted: number): void {
  if (begun.length === wanted) {
    queue.plannedFrom = new Date(Math.min(...begun.map(({ plannedAt }) => plannedAt)));
    return;
  }
  queue.due = queue.plannedFrom > BEGINNING ? Number.POSITIVE_INFINITY : 0;
  queue.plannedFrom = BEGINNING;
  if (begun.length === 0 && queue.due === 0) queue.restsUntil = performance.now() + REST_MS;
}
