import { createBatcher } from "@canvass/fairness";
import { newId } from "@canvass/values";
import { inTransaction } from "@canvass/postgres";
import type { DeliveryContext } from "../../context.ts";
import type { Webhook } from "../../domain/webhook.ts";
import { beginDue, type BegunDelivery, type DueEndpoint } from "../../storage/begin-due.ts";
import { endpointKey, type Lease } from "../../storage/claimed-delivery.ts";
import { findWebhooks } from "../../storage/webhooks.ts";
import { EPOCH, type EndpointQueue } from "./endpoint-queue.ts";
import { LEASE_MS } from "./attempts.ts";

const MAX_BATCH = 500;
/** Batches start at least 3 ms apart, unless 25 attempts wait: a statement costs as much as ten rows. */
const LINGER = { ms: 3, enough: 25 };
/** How long picks skip a queue of which nothing could be begun, for example because other workers lock its rows. */
const REST_MS = 50;

export interface BegunAttempt {
  delivery: BegunDelivery;
  /** Read in the same transaction. Undefined: the webhook does not exist or is not known yet. */
  webhook: Webhook | undefined;
}

/**
 * Leases the next due delivery of a queue and reads its webhook, in batches; sends nothing. Returns undefined if no
 * delivery could be leased: none is due, its row is locked, the webhook takes none, or the database fails. Never
 * rejects. If the commit succeeded but its response was lost, the delivery stays leased, and counts as an interrupted
 * attempt when the lease ends.
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
        for (const { queue, count } of wanted) advanceScan(queue, begun.get(endpointKey(queue)) ?? [], count);
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

/** BEGIN, both statements and COMMIT are sent without waiting for each other (pipelined). */
async function begin(
  { database, webhooks }: DeliveryContext,
  endpoints: readonly DueEndpoint[],
  lease: Lease,
  at: Date,
): Promise<{ rows: BegunDelivery[]; webhooks: Map<string, Webhook> }> {
  const { results } = await inTransaction(database.hot.pool, async (sql, defer) => {
    const results = Promise.all([beginDue(sql, endpoints, lease, at), findWebhooks(sql, endpoints)]);
    defer(results);
    // Wrapped, so that COMMIT does not wait for the results.
    return { results };
  });
  const [rows, found] = await results;
  const opened = found.flatMap(({ isKnown, webhook }) => (isKnown && webhook ? [webhooks.open(webhook)] : []));
  return { rows, webhooks: new Map(opened.map((webhook) => [endpointKey(webhook), webhook])) };
}

/**
 * After a full batch the next scan starts at its earliest planned time, to skip index entries of rows already sent.
 * After a short one it starts once more from the beginning.
 */
function advanceScan(queue: EndpointQueue, begun: readonly BegunDelivery[], wanted: number): void {
  if (begun.length === wanted) {
    // The earliest, because the rows of a batch are in no order.
    queue.plannedFrom = new Date(Math.min(...begun.map(({ plannedAt }) => plannedAt)));
    return;
  }
  // Infinity: an unknown number of deliveries planned earlier may be due.
  queue.due = queue.plannedFrom > EPOCH ? Number.POSITIVE_INFINITY : 0;
  queue.plannedFrom = EPOCH;
  if (begun.length === 0 && queue.due === 0) queue.restsUntil = performance.now() + REST_MS;
}
