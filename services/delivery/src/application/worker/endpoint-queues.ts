import { createBatcher } from "@canvass/fairness";
import type { DeliveryContext } from "../../context.ts";
import { takesDeliveries, tooOldUntil, type Webhook } from "../../domain/webhook.ts";
import { cancelDeliveries } from "../../storage/cancel-deliveries.ts";
import type { ClaimedDelivery, EndpointRef } from "../../storage/claimed-delivery.ts";
import { findResumption } from "../../storage/listening-intervals.ts";
import type { AttemptRecord } from "../../storage/record-attempts.ts";
import { type AttemptRecorder, canEndInTime, interruptedAttempt, makeAttempt } from "./attempts.ts";
import { createAttemptScheduler } from "./attempt-scheduler.ts";
import { createBeginNext } from "./begin-next.ts";
import {
  hasSlot,
  setDue,
  startSlice,
  type EndpointQueue,
  createQueueTable,
  type QueueTable,
} from "./endpoint-queue.ts";
import { release } from "./release.ts";
import { createSpacedStarts } from "./spaced-starts.ts";

export interface EndpointQueuesOptions {
  recorder: AttemptRecorder;
  /** All endpoints together. */
  maxRunning: number;
  maxPerEndpoint: number;
  /** Called when something is due, or will be within `withinMs`. */
  onMoreDue: (withinMs?: number) => void;
  onRecorded: () => void;
  /** After the commit of an attempt that asks to disable its subscription. */
  onDisable: () => void;
}

export interface EndpointQueues extends Pick<QueueTable, "busy"> {
  /** No attempt is in flight, so none will set a new due time. */
  readonly idle: boolean;
  readonly full: boolean;
  readonly running: number;
  /** Workspaces without a free slot. */
  withoutCapacity(): string[];
  /** Begins `due` deliveries, as slots become free. */
  wake(endpoint: EndpointRef, due: number): void;
  /** Takes a slot for a delivery that is about to be inserted, unless others are due or no slot is free. */
  takeSlot(endpoint: EndpointRef): boolean;
  /** Sends a delivery in the slot taken for it. Without a webhook, only releases it: the insert began nothing. */
  useSlot(delivery: ClaimedDelivery, webhook: Webhook | undefined): void;
  /** Call it after the commit of deliveries that found no slot, with the endpoint of each. */
  queued(endpoints: readonly EndpointRef[]): void;
  /** Begins nothing more, and waits until the rest is recorded. */
  drain(): Promise<void>;
}

/** How an attempt ended. `unsent` must be given back. `tooOld`: cancel the queue's deliveries created until then. */
interface Sent {
  record?: AttemptRecord;
  unsent?: ClaimedDelivery;
  tooOld?: Date;
}

/** Sending pauses above this many unrecorded attempts. */
export const MAX_UNRECORDED = 5000;
const MAX_RELEASED = 500;
/** Gap between attempts to unresponsive endpoints: each TLS handshake takes a millisecond or two from all others. */
const UNRESPONSIVE_GAP_MS = 5;
/** How long such an attempt lets new events go first. */
const UNRESPONSIVE_PATIENCE_MS = 20;

/** One queue per endpoint, so that none waits for another. Its rows stay in the database until an attempt begins. */
export function createEndpointQueues(context: DeliveryContext, options: EndpointQueuesOptions): EndpointQueues {
  const { recorder, maxRunning, maxPerEndpoint } = options;
  const beginNext = createBeginNext(context);
  const waitForGap = createSpacedStarts(UNRESPONSIVE_GAP_MS, () => context.intake.letPass(UNRESPONSIVE_PATIENCE_MS));
  const { queueOf, known, all, busy } = createQueueTable(maxPerEndpoint);
  const scheduler = createAttemptScheduler<EndpointQueue>({ slots: maxRunning, serve: pump });
  const tasks = new Set<Promise<void>>();
  let draining = false;
  // One statement at a time, since hundreds of attempts may be given back at once.
  const giveBackOne = createBatcher<ClaimedDelivery, void>({
    maxSize: MAX_RELEASED,
    maxInFlight: 1,
    maxQueued: Number.POSITIVE_INFINITY,
    send: async (deliveries) => {
      await release(context, deliveries);
      return deliveries.map(() => undefined);
    },
  });

  /** Begins attempts; returns whether any began. After one to an unresponsive endpoint other queues are next. */
  function pump(queue: EndpointQueue): boolean {
    let begun = false;
    while (queue.due > 0 && hasSlot(queue) && isReady(queue)) {
      if (!scheduler.mayBegin(queue) || (begun && !queue.limit.responds)) {
        scheduler.wait(queue);
        return begun;
      }
      take(queue, "waited");
      track(attempt(queue, beginAndSend(queue)));
      begun = true;
    }
    scheduler.forget(queue);
    return begun;
  }

  /** Whether the queue may begin attempts now. */
  function isReady(queue: EndpointQueue): boolean {
    if (draining) return false;
    if (performance.now() < queue.sliceEnds && recorder.pending < MAX_UNRECORDED) return true;
    stop(queue);
    return false;
  }

  /** The next pick finds the queue again, and begins, holds or cancels its deliveries. */
  function stop(queue: EndpointQueue): void {
    scheduler.forget(queue);
    if (queue.due === 0) return;
    queue.due = 0;
    options.onMoreDue();
  }

  function track(task: Promise<void>): void {
    const end = () => void tasks.delete(tracked);
    const tracked = task.then(end, (error: unknown) => {
      context.log.error({ err: error }, "an attempt failed unexpectedly");
      end();
    });
    tasks.add(tracked);
  }

  function take(queue: EndpointQueue, via: "new" | "waited"): void {
    scheduler.take(queue, via);
    queue.running += 1;
  }

  function leave(queue: EndpointQueue, responded: boolean): void {
    scheduler.leave(queue, responded);
    queue.running -= 1;
  }

  async function attempt(queue: EndpointQueue, sending: Promise<Sent>): Promise<void> {
    let sent: Sent = {};
    try {
      sent = await sending;
    } finally {
      leave(queue, sent.record === undefined || sent.record.statusCode !== undefined);
    }
    const { record, unsent, tooOld } = sent;
    if (record?.next.disable !== undefined) queue.due = 0;
    scheduler.serve(queue.due > 0 ? queue : undefined);
    if (unsent !== undefined) await giveBack(queue, unsent, tooOld);
    if (record === undefined) return;
    await recorder.record(record);
    options.onRecorded();
    // Otherwise an idle worker would find the new due time only at its next poll.
    const { dueAt, disable } = record.next;
    if (dueAt !== undefined) options.onMoreDue(Math.max(dueAt.getTime() - context.now().getTime(), 0));
    if (disable !== undefined) options.onDisable();
  }

  /** The delivery is due at once, so the pick must not wait for an idle worker's poll. */
  async function giveBack(queue: EndpointQueue, delivery: ClaimedDelivery, tooOld: Date | undefined): Promise<void> {
    await giveBackOne(delivery);
    if (tooOld !== undefined) await cancelTooOld(queue, tooOld);
    options.onMoreDue();
  }

  /** Cancels what was too old when the webhook was resumed (contract 8.5). */
  function cancelTooOld(queue: EndpointQueue, createdUntil: Date): Promise<void> {
    const cancelling = { because: "too_old", createdUntil, now: context.now() } as const;
    queue.cancelling ??= cancelDeliveries(context.database.sql, queue, cancelling).finally(() => {
      queue.cancelling = undefined;
    });
    return queue.cancelling;
  }

  async function beginAndSend(queue: EndpointQueue): Promise<Sent> {
    startSlice(queue);
    queue.due -= 1;
    queue.beginning += 1;
    if (!queue.limit.responds) await waitForGap();
    const begun = await beginNext(queue);
    queue.beginning -= 1;
    if (begun === undefined) return {};
    const { delivery, webhook } = begun;
    const { interruptedAt } = delivery;
    if (interruptedAt !== undefined) {
      const record = interruptedAttempt(context, delivery, interruptedAt);
      track(recorder.record(record).then(() => options.onMoreDue()));
      return {};
    }
    context.begun.inc({ origin: "waited" });
    return send(queue, delivery, webhook);
  }

  /** Returns until when the webhook's deliveries were too old at its resumption, if this one was. */
  async function findTooOld({ createdAt }: ClaimedDelivery, webhook: Webhook): Promise<Date | undefined> {
    // A new address moves `activeSince`, too, but makes no delivery too old.
    if (createdAt > tooOldUntil(webhook.activeSince)) return undefined;
    const tooOld = tooOldUntil((await findResumption(context.database.sql, webhook)) ?? webhook.activeSince);
    return createdAt <= tooOld ? tooOld : undefined;
  }

  async function send(queue: EndpointQueue, delivery: ClaimedDelivery, webhook: Webhook | undefined): Promise<Sent> {
    // It changed since, or its secrets must be asked for. The next pick decides.
    if (!webhook || !takesDeliveries(webhook)) {
      queue.due = 0;
      return { unsent: delivery };
    }
    const tooOld = await findTooOld(delivery, webhook);
    if (tooOld !== undefined) {
      queue.due = 0;
      return { unsent: delivery, tooOld };
    }
    if (!canEndInTime(context, delivery)) return { unsent: delivery };
    const record = await makeAttempt(context, webhook, delivery);
    queue.limit.observe(record.durationMs, record.statusCode !== undefined);
    return { record };
  }

  return {
    busy,
    get idle() {
      return tasks.size === 0;
    },
    get full() {
      return scheduler.full;
    },
    get running() {
      return [...all()].reduce((sum, { running }) => sum + running, 0);
    },
    withoutCapacity: () => scheduler.withoutCapacity(),
    wake(endpoint, due) {
      const queue = queueOf(endpoint);
      setDue(queue, due);
      pump(queue);
    },
    takeSlot(ref) {
      if (recorder.pending >= MAX_UNRECORDED) return false;
      const queue = queueOf(ref);
      if (queue.due > 0 || !hasSlot(queue) || !scheduler.mayBeginNew(queue)) return false;
      take(queue, "new");
      return true;
    },
    useSlot(delivery, webhook) {
      const queue = queueOf(delivery);
      if (webhook) {
        context.begun.inc({ origin: "new" });
        return track(attempt(queue, send(queue, delivery, webhook)));
      }
      leave(queue, true);
      scheduler.serve(queue.due > 0 ? queue : undefined);
    },
    queued(endpoints) {
      for (const endpoint of endpoints) {
        const queue = known(endpoint);
        // The worker picks the others.
        if (queue && queue.running > 0) {
          setDue(queue, queue.due + 1);
          pump(queue);
        } else options.onMoreDue();
      }
    },
    async drain() {
      draining = true;
      await Promise.all(tasks);
    },
  };
}
