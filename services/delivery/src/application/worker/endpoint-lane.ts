import { createConcurrencyLimit, type ConcurrencyLimit } from "../../domain/concurrency-limit.ts";
import type { ClaimedDelivery, EndpointRef } from "../../storage/claimed-delivery.ts";
import type { EndpointAnswer } from "./endpoint-look-up.ts";

export interface EndpointLane extends EndpointRef {
  /** The last look-up; undefined: unknown. */
  answer: EndpointAnswer | undefined;
  /** The look-up under way. */
  asking: Promise<void> | undefined;
  /** Claimed, not begun. */
  waiting: ClaimedDelivery[];
  running: number;
  /** Of those, as many as began after one that was not answered, or first. */
  silentRunning: number;
  /** Room for deliveries that are being queued. */
  reserved: number;
  limit: ConcurrencyLimit;
  /** The last claim was full: more is likely. */
  more: boolean;
  /** When it leaves the rest to claims, on the clock of `performance.now()`. */
  turnEnds: number;
  /** What is left of the queue was planned no earlier, but for what came back in this turn. */
  plannedFrom: Date;
}

/** New deliveries that a quick endpoint's lane takes ahead, as a multiple of its concurrency. */
const AHEAD = 5;
/** So long a lane begins what is due without a claim. Then others of its workspace have their turn, and what came back is found. */
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

/** For deliveries that are being queued; a slow endpoint takes only what can be sent at once. */
export function newRoom(lane: EndpointLane): number {
  const { current, quick } = lane.limit;
  return left(lane, quick ? current * (1 + AHEAD) : current);
}

/** For claims: what can be sent at once. */
export function claimRoom(lane: EndpointLane): number {
  return left(lane, lane.limit.current);
}

function left({ waiting, running, reserved }: EndpointLane, wanted: number): number {
  return Math.max(wanted - waiting.length - running - reserved, 0);
}

/** For an attempt that begins now, before none that waits. */
export function hasFreePlace(lane: EndpointLane): boolean {
  return lane.waiting.length + lane.reserved === 0 && lane.running < lane.limit.current;
}

/** A quick endpoint's long queue: its lane begins the next ones itself, without a claim. */
export function drains({ more, limit }: EndpointLane): boolean {
  return more && limit.sure;
}

/** A claim has found so much that more is likely. */
export function startTurn(lane: EndpointLane): void {
  lane.more = true;
  lane.turnEnds = performance.now() + TURN_MS;
  lane.plannedFrom = BEGINNING;
}

/** Supplied lanes are skipped by claims. */
export function isSupplied(lane: EndpointLane): boolean {
  return drains(lane) || claimRoom(lane) === 0;
}

/** Keeps the later answer: a claim and the lane may ask at the same time. */
export function learn(lane: EndpointLane, answer: EndpointAnswer): void {
  if (lane.answer === undefined || lane.answer.askedAt < answer.askedAt) lane.answer = answer;
}

export function endpointKey({ workspaceId, subscriptionId }: EndpointRef): string {
  return `${workspaceId} ${subscriptionId}`;
}
