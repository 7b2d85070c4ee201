import { newId } from "@canvass/values";
import { startLoop, type Lease, type Loop } from "@canvass/jobs";
import { inTransaction } from "@canvass/postgres";
import type { DeliveryContext } from "../../context.ts";
import { takesDeliveries, whyCancelled } from "../../domain/webhook.ts";
import { RETRY_WINDOW_MS } from "../../domain/retry-schedule.ts";
import { countQueued, rangeQueue, type RangeRedelivery } from "../../storage/range-redeliveries.ts";
import { insertRedeliveries } from "../../storage/redeliver.ts";

type LeasedRange = RangeRedelivery & Lease;

const BATCH = 500;
/** A webhook's queue is filled up to this length, so that new events do not wait for a whole range. */
const FULL_QUEUE = 1000;
const LEASE_MS = 30_000;
/**
 * Pauses of a range. `FULL_MS`: while the webhook's queue is full. `HOLD_MS`: while the webhook takes no deliveries.
 * `UNKNOWN_MS`: while the webhook is not known. Ranges of others go on meanwhile.
 */
const FULL_MS = 200;
const HOLD_MS = 15_000;
const UNKNOWN_MS = 1000;
/** New ranges nudge the loop. The pause is for ranges of dead processes. */
const IDLE_POLL_FACTOR = 15;

/** Queues ranges of deliveries again, in batches (contract 8.15). Replicas share the ranges. */
export function startRangeRedeliveries(context: DeliveryContext, nudgeWorker: () => void, pollMs: number): Loop {
  const { database, now, log } = context;
  const idleMs = IDLE_POLL_FACTOR * pollMs;
  return startLoop({
    minGapMs: 5,
    round: async () => {
      const at = now();
      const claiming = { now: at, leaseMs: LEASE_MS, limit: 1, roundRobinBy: "workspace_id" };
      const [range] = await rangeQueue.claim(database.sql, claiming);
      if (range) {
        if (await queueBatch(context, range)) nudgeWorker();
        return 0;
      }
      const next = await rangeQueue.nextDue(database.sql, {}, at);
      return next ? Math.min(Math.max(next.getTime() - at.getTime(), 5), idleMs) : idleMs;
    },
    onFailure: (error, inARow) => {
      if (inARow === 1) log.warn({ err: error }, "a range of deliveries could not be queued again");
    },
  });
}

/** Returns whether something was queued. If it throws, the range is retried when its lease ends. */
async function queueBatch(context: DeliveryContext, range: LeasedRange): Promise<boolean> {
  const { database, webhooks, now } = context;
  const [webhook] = await webhooks.find([range], "asked");
  const at = now();
  const isTooOld = at.getTime() - range.requestedAt.getTime() > RETRY_WINDOW_MS;
  if (isTooOld || (webhook && whyCancelled(webhook) !== undefined)) {
    await rangeQueue.settle(database.sql, range, finished(at));
    return false;
  }
  if (!webhook) {
    await rangeQueue.settle(database.sql, range, { due_at: new Date(at.getTime() + UNKNOWN_MS) });
    return false;
  }
  const capacity = FULL_QUEUE - (await countQueued(database.sql, range, FULL_QUEUE));
  if (!takesDeliveries(webhook) || capacity <= 0) {
    const restMs = takesDeliveries(webhook) ? FULL_MS : HOLD_MS;
    await rangeQueue.settle(database.sql, range, { due_at: new Date(at.getTime() + restMs) });
    return false;
  }
  await store(context, range, Math.min(capacity, BATCH), at);
  return true;
}

/** Stores the batch and the position of the next one in one transaction, fenced by the lease. */
function store({ database }: DeliveryContext, range: LeasedRange, size: number, at: Date): Promise<void> {
  const deliveryIds = Array.from({ length: size }, () => newId(at));
  return inTransaction(database.pool, async (sql) => {
    const { lastId, read } = await insertRedeliveries(sql, range, deliveryIds, at);
    const next = read < size ? finished(at) : { due_at: at, after_id: lastId };
    if (!(await rangeQueue.settle(sql, range, next))) throw new Error("another process has the range");
  });
}

const finished = (at: Date) => ({ due_at: null, finished_at: at });
