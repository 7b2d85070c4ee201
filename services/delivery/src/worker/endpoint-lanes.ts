import type { DeliveryContext } from "../context.ts";
import type { ClaimedDelivery, EndpointRef } from "../storage/claim-deliveries.ts";
import type { AttemptRecord } from "../storage/record-attempts.ts";
import type { AttemptRecorder } from "./attempt-recorder.ts";
import { createBeginMarks } from "./begin-marks.ts";
import { createLane, endpointKey, isSupplied, laneRoom, learn, type EndpointLane } from "./endpoint-lane.ts";
import { isGood, takesDeliveries, type EndpointAnswer, type LookUpEndpoint } from "./endpoint-look-up.ts";
import { canEndInTime, makeAttempt } from "./make-attempt.ts";
import { release } from "./release.ts";

export interface EndpointLanesOptions {
  recorder: AttemptRecorder;
  /** Attempts under way at once, to all endpoints. */
  maxRunning: number;
  /** Attempts under way at once, to one endpoint. */
  maxPerEndpoint: number;
  lookUpEndpoint: LookUpEndpoint;
  /** There is, or probably is, more to claim: a lane runs low, or gave back what waited in it. */
  onMoreDue: () => void;
  /** An attempt is committed. */
  onRecorded: () => void;
  /** An attempt that asks for its subscription to be disabled is committed. */
  onDisable: () => void;
}

export interface EndpointLanes {
  /** True when no attempt is under way or waits to be recorded, so that none will set a new due time. */
  readonly idle: boolean;
  /** True when all attempts that may be under way are. */
  readonly full: boolean;
  /** Endpoints that need no more deliveries now. */
  busy(): EndpointRef[];
  /** How many deliveries of an endpoint can be taken. */
  roomOf: (endpoint: EndpointRef) => number;
  /** Takes claimed deliveries of one endpoint. */
  add(claimed: readonly ClaimedDelivery[], answer: EndpointAnswer): void;
  /** Begins nothing any more, gives back what was not begun, and waits for the rest to be recorded. */
  drain(): Promise<void>;
}

const MAX_LANES = 5000;
/** Whoever claims this many may expect more behind them. */
const LIKELY_MORE = 10;

/** The attempts of one worker: one lane for each endpoint, so that none waits for another. */
export function createEndpointLanes(context: DeliveryContext, options: EndpointLanesOptions): EndpointLanes {
  const { recorder, lookUpEndpoint, maxRunning, maxPerEndpoint } = options;
  const markBegun = createBeginMarks(context);
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
      if (!isGood(lane.answer)) return void refresh(lane);
      if (!takesDeliveries(lane.answer.endpoint)) return track(giveBack(lane));
      begin(lane, lane.waiting.shift()!);
    }
    starved.delete(lane);
    if (lane.more && !isSupplied(lane)) options.onMoreDue();
  }

  /** Asks anew where a lane leads, once for all who want to know, and goes on with what waits in it. Never rejects. */
  function refresh(lane: EndpointLane): Promise<void> {
    lane.asking ??= ask(lane);
    return lane.asking;
  }

  async function ask(lane: EndpointLane): Promise<void> {
    const answer = await lookUpEndpoint(lane).catch(() => undefined);
    lane.asking = undefined;
    if (answer !== undefined) learn(lane, answer);
    // While the webhook service is away nothing is sent; the next claim says that it is.
    if (isGood(lane.answer)) pump(lane);
    else track(giveBack(lane));
  }

  /** Returns what waits in a lane, so that whoever claims it next cancels it, keeps it, or sends it. */
  async function giveBack(lane: EndpointLane): Promise<void> {
    starved.delete(lane);
    lane.more = false;
    await release(context, lane.waiting.splice(0), 0);
    options.onMoreDue();
  }

  function track(task: Promise<void>): void {
    const tracked = task
      .catch((error: unknown) => context.log.error({ err: error }, "an attempt failed unexpectedly"))
      .finally(() => tasks.delete(tracked));
    tasks.add(tracked);
  }

  function begin(lane: EndpointLane, delivery: ClaimedDelivery): void {
    running += 1;
    lane.running += 1;
    track(attempt(lane, delivery));
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
    pumpStarved();
    if (record === undefined) return release(context, [delivery], 0);
    await recorder.record(record);
    options.onRecorded();
    if (disable !== undefined) options.onDisable();
    await release(context, dropped, 0);
  }

  function pumpStarved(): void {
    for (const lane of starved) {
      if (running >= maxRunning) return;
      starved.delete(lane);
      pump(lane);
    }
  }

  /** Undefined: it was not sent. */
  async function attemptInTime(lane: EndpointLane, delivery: ClaimedDelivery): Promise<AttemptRecord | undefined> {
    if (!canEndInTime(context, delivery) || !(await markBegun(delivery))) return undefined;
    // The mark may have had to wait for the database.
    if (!isGood(lane.answer)) await refresh(lane);
    const { answer } = lane;
    if (!isGood(answer) || !takesDeliveries(answer.endpoint) || !canEndInTime(context, delivery)) return undefined;
    const record = await makeAttempt(context, answer.endpoint, delivery);
    lane.limit.observe(record.durationMs, record.statusCode !== undefined);
    return record;
  }

  function forgetIdle(): void {
    for (const [key, lane] of lanes) {
      if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(key);
    }
  }

  return {
    get idle() {
      return tasks.size === 0;
    },
    get full() {
      return running >= maxRunning;
    },
    busy() {
      // What was learned of an endpoint's speed is worth keeping; thousands of lanes are not.
      if (lanes.size > MAX_LANES) forgetIdle();
      return [...lanes.values()].filter(isSupplied);
    },
    roomOf: (endpoint) => laneRoom(lanes.get(endpointKey(endpoint)) ?? newLane),
    add(claimed, answer) {
      const lane = laneOf(claimed[0]!);
      // Room can only have grown since the claim.
      lane.more = claimed.length >= Math.min(laneRoom(lane), LIKELY_MORE);
      learn(lane, answer);
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
