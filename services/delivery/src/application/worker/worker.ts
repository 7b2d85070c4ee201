import { startLoop } from "@canvass/jobs";
import { newId } from "@canvass/values";
import type { DeliveryContext } from "../../context.ts";
import { takesDeliveries, whyCancelled, type QueueCancelReason } from "../../domain/webhook.ts";
import { cancelSome } from "../../storage/cancel-deliveries.ts";
import type { EndpointRef } from "../../storage/claimed-delivery.ts";
import { deleteIdleEndpoint, holdEndpoints } from "../../storage/endpoints.ts";
import { findNextDueTime, pickEndpoints, type PickedEndpoint } from "../../storage/pick-endpoints.ts";
import { takeInterrupted } from "../../storage/take-interrupted.ts";
import type { Source } from "../webhooks/webhooks.ts";
import { createAttemptRecorder, interruptedAttempt, LEASE_MS } from "./attempts.ts";
import { registerSendingMetrics } from "./delivery-metrics.ts";
import {
  createEndpointQueues,
  MAX_UNRECORDED,
  type EndpointQueues,
  type EndpointQueuesOptions,
} from "./endpoint-queues.ts";

export interface WorkerOptions extends Omit<EndpointQueuesOptions, "recorder" | "onMoreDue"> {
  /** Longest pause while attempts are in flight, in milliseconds: they may set due times. An idle one rests longer. */
  pollMs: number;
}

export interface Worker extends AsyncDisposable {
  nudge(): void;
  /** For deliveries that are being queued. */
  readonly queues: Pick<EndpointQueues, "takeSlot" | "useSlot" | "queued">;
}

/** How long a queue waits whose webhook takes no deliveries. */
const HOLD_MS = 15_000;
/** How long a queue waits whose webhook is not known. */
const OUTAGE_HOLD_MS = 1000;
/** An idle worker polls this many times less often: it only looks for deliveries of dead workers. */
const IDLE_POLL_FACTOR = 15;
/** Pause while nothing can be begun: rows are locked or leased by other workers, or no slot is free. */
const LOOK_AGAIN_MS = 50;
/** The same while attempts are in flight. Longer, because queues begin due deliveries they know of without a pick. */
const LOOK_AGAIN_WHILE_SENDING_MS = 200;
const PICK_ENDPOINTS = 50;

export function startWorker(context: DeliveryContext, options: WorkerOptions): Worker {
  const { database, now, log } = context;
  const recorder = createAttemptRecorder(context);
  const onMoreDue = (withinMs?: number) => loop.nudge(withinMs);
  const queues = createEndpointQueues(context, { ...options, recorder, onMoreDue });
  registerSendingMetrics(context.metrics, () => ({ running: queues.running, unrecorded: recorder.pending }));

  async function round(): Promise<number> {
    if (queues.full || recorder.pending >= MAX_UNRECORDED) return LOOK_AGAIN_MS;
    const at = now();
    const { due, looked } = await pickEndpoints(database.hot.pool, {
      now: at,
      busy: queues.busy(),
      withoutCapacity: queues.withoutCapacity(),
      maxEndpoints: PICK_ENDPOINTS,
    });
    await dispatch(due, at);
    return due.length === 0 && looked < PICK_ENDPOINTS ? pauseUntilDue(at) : 0;
  }

  /** Due deliveries that were not picked are leased elsewhere or wait for a slot. */
  async function pauseUntilDue(at: Date): Promise<number> {
    const next = await findNextDueTime(database.sql);
    const longestMs = queues.idle && recorder.pending === 0 ? IDLE_POLL_FACTOR * options.pollMs : options.pollMs;
    if (next === undefined) return longestMs;
    const pauseMs = next.getTime() - at.getTime();
    const lookAgainMs = queues.idle ? LOOK_AGAIN_MS : LOOK_AGAIN_WHILE_SENDING_MS;
    return Math.min(pauseMs <= 0 ? lookAgainMs : pauseMs, longestMs);
  }

  async function dispatch(picked: readonly PickedEndpoint[], pickedAt: Date): Promise<void> {
    const undecided = await dispatchBy("stored", picked, pickedAt);
    const unknown = await dispatchBy("asked", undecided, pickedAt);
    await hold(unknown, pickedAt, OUTAGE_HOLD_MS);
  }

  /** Returns the endpoints whose webhooks that source does not know. */
  async function dispatchBy(
    source: Source,
    picked: readonly PickedEndpoint[],
    pickedAt: Date,
  ): Promise<PickedEndpoint[]> {
    if (picked.length === 0) return [];
    const webhooks = await context.webhooks.find(picked, source);
    const unknown: PickedEndpoint[] = [];
    const held: EndpointRef[] = [];
    const refused: [EndpointRef, QueueCancelReason][] = [];
    for (const [index, endpoint] of picked.entries()) {
      const webhook = webhooks[index];
      const reason = webhook && whyCancelled(webhook);
      if (!webhook) unknown.push(endpoint);
      else if (reason !== undefined) refused.push([endpoint, reason]);
      else if (takesDeliveries(webhook)) queues.wake(endpoint, endpoint.due);
      else held.push(endpoint);
    }
    await recordInterrupted([...held, ...refused.map(([endpoint]) => endpoint)]);
    await Promise.all([
      hold(held, pickedAt, HOLD_MS),
      ...refused.map(([endpoint, because]) => cancel(endpoint, pickedAt, because)),
    ]);
    return unknown;
  }

  /** An attempt whose worker died counts, also when its endpoint takes nothing now. */
  async function recordInterrupted(endpoints: readonly EndpointRef[]): Promise<void> {
    if (endpoints.length === 0) return;
    const at = now();
    const lease = { leaseId: newId(at), leaseUntil: new Date(at.getTime() + LEASE_MS) };
    const interrupted = await takeInterrupted(database.hot.sql, endpoints, lease, at);
    await Promise.all(
      interrupted.map((delivery) => recorder.record(interruptedAttempt(context, delivery, delivery.interruptedAt!))),
    );
  }

  function hold(endpoints: readonly EndpointRef[], pickedAt: Date, ms: number): Promise<void> {
    return holdEndpoints(database.sql, endpoints, { pickedAt, until: new Date(now().getTime() + ms) });
  }

  /**
   * Cancels one batch each time the endpoint is picked, so that a long queue delays no other. Keeps what came after
   * the pick: by then the webhook may have been resumed.
   */
  async function cancel(ref: EndpointRef, createdUntil: Date, because: QueueCancelReason): Promise<void> {
    const more = await cancelSome(database.sql, ref, { because, createdUntil, now: now() });
    if (!more && because === "deleted") await deleteIdleEndpoint(database.pool, ref);
  }

  const loop = startLoop({
    minGapMs: 1,
    maxBackOffMs: 2000,
    round,
    onFailure: (error, inARow) => {
      if (inARow === 1) log.warn({ err: error }, "due deliveries could not be taken");
    },
  });
  return {
    nudge: () => loop.nudge(),
    queues,
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await queues.drain();
    },
  };
}
