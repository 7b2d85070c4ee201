import { startLoop } from "@canvass/jobs";
import { newId } from "@canvass/values";
import type { DeliveryContext } from "../../context.ts";
import { cancelDeliveries, type CancelOptions } from "../../storage/cancel-deliveries.ts";
import { claimDeliveries, findNextDueTime } from "../../storage/claim-deliveries.ts";
import type { ClaimedDelivery, EndpointRef } from "../../storage/claimed-delivery.ts";
import { createAttemptRecorder } from "./attempt-recorder.ts";
import { endpointKey } from "./endpoint-lane.ts";
import { createQueueNew, type QueueNew } from "./begin-new.ts";
import { createEndpointLanes, MAX_UNRECORDED, type EndpointLanesOptions } from "./endpoint-lanes.ts";
import {
  cancelReason,
  createEndpointLookUp,
  isGood,
  isTooOld,
  keepsQueue,
  takesDeliveries,
  tooOldUntil,
  type EndpointAnswer,
} from "./endpoint-look-up.ts";
import { LEASE_MS } from "./make-attempt.ts";
import { release } from "./release.ts";
import { registerSendingMetrics } from "./delivery-metrics.ts";

export interface WorkerOptions extends Omit<EndpointLanesOptions, "recorder" | "lookUpEndpoint" | "onMoreDue"> {
  /** Longest pause in milliseconds while attempts are in flight. */
  pollMs: number;
}

export interface Worker extends AsyncDisposable {
  nudge(): void;
  queueNew: QueueNew;
}

/** How long a queue rests while its endpoint must not get deliveries. */
const HOLD_MS = 15_000;
/** The same while the webhook service is unavailable. */
const OUTAGE_HOLD_MS = 1000;
/** An idle worker polls this many times less often, because it only finds deliveries of dead workers. */
const IDLE_POLLS = 15;
/** Pause while due rows are locked or all lanes are full. */
const LOCKED_MS = 50;
/** Pause for locked rows while lanes are active, because lanes ask for more themselves. */
const BESIDE_LANES_MS = 200;
const CLAIM_ENDPOINTS = 50;

export function startWorker(context: DeliveryContext, options: WorkerOptions): Worker {
  const { database, now, log } = context;
  const recorder = createAttemptRecorder(context);
  const lookUpEndpoint = createEndpointLookUp(context);
  const onMoreDue = (withinMs?: number) => loop.nudge(withinMs);
  const lanes = createEndpointLanes(context, { ...options, recorder, lookUpEndpoint, onMoreDue });
  registerSendingMetrics(context.metrics, () => ({ ...lanes.figures(), unrecorded: recorder.pending }));

  async function round(): Promise<number> {
    if (lanes.full || recorder.pending >= MAX_UNRECORDED) return LOCKED_MS;
    const at = now();
    const busy = lanes.busy();
    lanes.expectClaim();
    const claimed = await claimDeliveries(database.hot.pool, {
      leaseId: newId(at),
      now: at,
      leaseUntil: new Date(at.getTime() + LEASE_MS),
      roomOf: lanes.rooms(),
      busy,
      withoutRoom: lanes.withoutRoom(),
      maxEndpoints: CLAIM_ENDPOINTS,
    });
    if (claimed.length === 0) return pauseUntilDue(at);
    await dispatch(claimed);
    return 0;
  }

  /** Due deliveries that were not claimed have a lease or wait for a lane. */
  async function pauseUntilDue(at: Date): Promise<number> {
    const next = await findNextDueTime(database.sql);
    const longestMs = lanes.idle && recorder.pending === 0 ? IDLE_POLLS * options.pollMs : options.pollMs;
    if (next === undefined) return longestMs;
    const pauseMs = next.getTime() - at.getTime();
    const lookAgainMs = lanes.idle ? LOCKED_MS : BESIDE_LANES_MS;
    return Math.min(pauseMs <= 0 ? lookAgainMs : pauseMs, longestMs);
  }

  async function dispatch(claimed: readonly ClaimedDelivery[]): Promise<void> {
    const [interrupted, fresh] = partition(claimed, ({ interruptedAt }) => interruptedAt !== undefined);
    for (const delivery of interrupted) lanes.recordInterrupted(delivery, delivery.interruptedAt!);
    const groups = [...Map.groupBy(fresh, endpointKey).values()];
    if (groups.length === 0) return;
    const answers = await lookUp(groups, fresh);
    const held: ClaimedDelivery[][] = [];
    const routed = groups.map((group, index) => {
      const answer = answers[index]!;
      return isHeld(answer) ? void held.push(group) : route(group, answer);
    });
    // One statement for all: many at once would take the connections from deliveries that are being queued.
    await Promise.all([release(context, held.flat(), HOLD_MS), ...routed]);
  }

  /** If the lookup fails, releases all deliveries. No attempt counts. */
  async function lookUp(
    groups: readonly ClaimedDelivery[][],
    fresh: readonly ClaimedDelivery[],
  ): Promise<EndpointAnswer[]> {
    try {
      return await Promise.all(groups.map(([first]) => answerOf(first!)));
    } catch (error) {
      await release(context, fresh, OUTAGE_HOLD_MS);
      throw error;
    }
  }

  async function answerOf(endpoint: EndpointRef): Promise<EndpointAnswer> {
    const known = lanes.answerOf(endpoint);
    return isGood(known) && takesDeliveries(known.endpoint) ? known : lookUpEndpoint(endpoint);
  }

  async function route(group: readonly ClaimedDelivery[], answer: EndpointAnswer): Promise<void> {
    const { endpoint } = answer;
    if (takesDeliveries(endpoint)) return send(group, answer);
    const at = now();
    await cancel(group[0]!, { because: cancelReason(endpoint), createdUntil: at, now: at });
  }

  async function send(group: readonly ClaimedDelivery[], answer: EndpointAnswer): Promise<void> {
    const [old, fresh] = partition(group, (delivery) => isTooOld(delivery, answer.endpoint));
    if (old.length > 0) {
      await cancel(old[0]!, { because: "too_old", createdUntil: tooOldUntil(answer.endpoint), now: now() });
    }
    if (fresh.length > 0) lanes.add(fresh, answer);
  }

  function cancel(delivery: ClaimedDelivery, options: Omit<CancelOptions, "leaseId">): Promise<void> {
    return cancelDeliveries(database.sql, delivery, { ...options, leaseId: delivery.leaseId });
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
    queueNew: createQueueNew(context, lanes, onMoreDue),
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await lanes.drain();
    },
  };
}

function isHeld({ endpoint }: EndpointAnswer): boolean {
  return !takesDeliveries(endpoint) && keepsQueue(endpoint);
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  const groups = Map.groupBy(items, test);
  return [groups.get(true) ?? [], groups.get(false) ?? []];
}
