import type { DeliveryContext } from "../context.ts";
import type { ClaimedDelivery, EndpointRef } from "../storage/claim-deliveries.ts";
import type { AttemptRecord } from "../storage/record-attempts.ts";
import type { AttemptRecorder } from "./attempt-recorder.ts";
import { createLane, endpointKey, isSupplied, laneRoom, type EndpointLane } from "./endpoint-lane.ts";
import { makeAttempt } from "./make-attempt.ts";
import { release } from "./release.ts";

export interface EndpointLanesOptions {
  recorder: AttemptRecorder;
  /** Attempts under way at once, to all endpoints. */
  maxRunning: number;
  /** Attempts under way at once, to one endpoint. */
  maxPerEndpoint: number;
  /** A lane that probably has more in the database runs low. */
  onRunningLow: () => void;
  /** An attempt that asks for its subscription to be disabled is committed. */
  onDisable: () => void;
}

export interface EndpointLanes {
  /** True when all attempts that may be under way are. */
  readonly full: boolean;
  /** Endpoints that need no more deliveries now. */
  busy(): EndpointRef[];
  /** How many deliveries of an endpoint can be taken. */
  roomOf: (endpoint: EndpointRef) => number;
  /** Takes claimed deliveries of one endpoint. */
  add(claimed: readonly ClaimedDelivery[], to: { url: string; secrets: readonly string[] }): void;
  /** Begins nothing any more, gives back what was not begun, and waits for the rest to be recorded. */
  drain(): Promise<void>;
}

/** An attempt that could not end within its lease is not begun: its ten seconds and some for recording it. */
const ATTEMPT_MS = 11_000;
const MAX_LANES = 5000;
/** Whoever claims this many may expect more behind them. */
const LIKELY_MORE = 10;

/** The attempts of one worker: one lane for each endpoint, so that none waits for another. */
export function createEndpointLanes(context: DeliveryContext, options: EndpointLanesOptions): EndpointLanes {
  const { recorder, maxRunning, maxPerEndpoint } = options;
  const lanes = new Map<string, EndpointLane>();
  /** Lanes that could send if others did not use all there is. */
  const starved = new Set<EndpointLane>();
  const tasks = new Set<Promise<void>>();
  const newLane = createLane({ workspaceId: "", subscriptionId: "" }, maxPerEndpoint);
  let running = 0;

  function laneOf(ref: EndpointRef): EndpointLane {
    const key = endpointKey(ref);
    const lane = lanes.get(key) ?? createLane(ref, maxPerEndpoint);
    lanes.set(key, lane);
    return lane;
  }

  function pump(lane: EndpointLane): void {
    while (lane.waiting.length > 0 && lane.running < lane.limit.current) {
      if (running >= maxRunning) return void starved.add(lane);
      begin(lane, lane.waiting.shift()!);
    }
    starved.delete(lane);
    if (lane.more && !isSupplied(lane)) options.onRunningLow();
  }

  function begin(lane: EndpointLane, delivery: ClaimedDelivery): void {
    running += 1;
    lane.running += 1;
    const task = attempt(lane, delivery)
      .catch((error: unknown) => context.log.error({ err: error }, "an attempt failed unexpectedly"))
      .finally(() => tasks.delete(task));
    tasks.add(task);
  }

  async function attempt(lane: EndpointLane, delivery: ClaimedDelivery): Promise<void> {
    let record: AttemptRecord | undefined;
    try {
      record = await attemptInTime(lane, delivery);
    } finally {
      running -= 1;
      lane.running -= 1;
    }
    const disable = record?.next.disable;
    // What waits for an endpoint that wants no more goes back, so that it can be cancelled or kept.
    const dropped = disable === undefined ? [] : lane.waiting.splice(0);
    if (disable !== undefined) lane.more = false;
    pump(lane);
    const [next] = starved;
    if (next && next !== lane) pump(next);
    if (record === undefined) return release(context, [delivery], 0);
    await recorder.record(record);
    if (disable !== undefined) options.onDisable();
    await release(context, dropped, 0);
  }

  async function attemptInTime(lane: EndpointLane, delivery: ClaimedDelivery): Promise<AttemptRecord | undefined> {
    if (delivery.leaseUntil.getTime() - context.now().getTime() < ATTEMPT_MS) return undefined;
    const record = await makeAttempt(context, lane, delivery);
    lane.limit.observe(record.durationMs, record.statusCode !== undefined);
    return record;
  }

  function forgetIdle(): void {
    for (const [key, lane] of lanes) {
      if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(key);
    }
  }

  return {
    get full() {
      return running >= maxRunning;
    },
    busy() {
      // What was learned of an endpoint's speed is worth keeping; thousands of lanes are not.
      if (lanes.size > MAX_LANES) forgetIdle();
      return [...lanes.values()].filter(isSupplied);
    },
    roomOf: (endpoint) => laneRoom(lanes.get(endpointKey(endpoint)) ?? newLane),
    add(claimed, { url, secrets }) {
      const lane = laneOf(claimed[0]!);
      // Room can only have grown since the claim.
      const more = claimed.length >= Math.min(laneRoom(lane), LIKELY_MORE);
      Object.assign(lane, { url, secrets, more });
      lane.waiting.push(...claimed);
      pump(lane);
    },
    async drain() {
      const waiting = [...lanes.values()].flatMap((lane) => lane.waiting.splice(0));
      await release(context, waiting, 0);
      await Promise.all(tasks);
    },
  };
}
