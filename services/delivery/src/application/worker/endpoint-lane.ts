import { createConcurrencyLimit, type ConcurrencyLimit } from "../../domain/concurrency-limit.ts";
import type { ClaimedDelivery, EndpointRef } from "../../storage/claimed-delivery.ts";
import type { EndpointAnswer } from "./endpoint-look-up.ts";

export interface EndpointLane extends EndpointRef {
  answer: EndpointAnswer | undefined;
  asking: Promise<void> | undefined;
  /** Claimed but not begun. */
  waiting: ClaimedDelivery[];
  running: number;
  /** Running attempts that began while the endpoint was unresponsive or untested. */
  silentRunning: number;
  /** Slots for deliveries that are being queued. */
  reserved: number;
  limit: ConcurrencyLimit;
  /** The last claim was full, so more deliveries are likely. */
  more: boolean;
  /** When the lane leaves the rest of the queue to claims, on the clock of `performance.now()`. */
  turnEnds: number;
  /** Lower bound of the planned times left in the queue, except deliveries that were returned in this turn. */
  plannedFrom: Date;
}

/** New deliveries that the lane of a quick endpoint takes ahead, as a multiple of its concurrency. */
const AHEAD = 5;
/** How long a lane starts due deliveries itself. Then a claim serves other lanes and finds returned deliveries. */
const TURN_MS = 1000;
const BEGINNING = new Date(0);

export function createLane({ workspaceId, subscriptionId }: EndpointRef, maxRunning: number): EndpointLane {
  const limit = createConcurrencyLimit(maxRunning);
  const unknown = { answer: undefined, asking: undefined };
  return {
    workspaceId,
    subscriptionId,
    ...unknown,
    waiting: [],
    running: 0,
    silentRunning: 0,
    reserved: 0,
    limit,
    more: false,
    turnEnds: 0,
    plannedFrom: BEGINNING,
  };
}

/** Capacity for new deliveries. A slow endpoint takes only what can be sent at once. */
export function newRoom(lane: EndpointLane): number {
  const { current, quick } = lane.limit;
  return left(lane, quick ? current * (1 + AHEAD) : current);
}

export function claimRoom(lane: EndpointLane): number {
  return left(lane, lane.limit.current);
}

function left({ waiting, running, reserved }: EndpointLane, wanted: number): number {
  return Math.max(wanted - waiting.length - running - reserved, 0);
}

/** Whether an attempt may begin without overtaking a waiting one. */
export function hasFreePlace(lane: EndpointLane): boolean {
  return lane.waiting.length + lane.reserved === 0 && lane.running < lane.limit.current;
}

/** A quick endpoint with a long queue: its lane starts the next deliveries itself, without a claim. */
export function drains({ more, limit }: EndpointLane): boolean {
  return more && limit.sure;
}

export function startTurn(lane: EndpointLane): void {
  lane.more = true;
  lane.turnEnds = performance.now() + TURN_MS;
  lane.plannedFrom = BEGINNING;
}

export function isSupplied(lane: EndpointLane): boolean {
  return drains(lane) || claimRoom(lane) === 0;
}

/** Keeps the later result, because a claim and the lane may look up at the same time. */
export function learn(lane: EndpointLane, answer: EndpointAnswer): void {
  if (lane.answer === undefined || lane.answer.askedAt < answer.askedAt) lane.answer = answer;
}

export function endpointKey({ workspaceId, subscriptionId }: EndpointRef): string {
  return `${workspaceId} ${subscriptionId}`;
}
