import { createConcurrencyLimit, type ConcurrencyLimit } from "../domain/concurrency-limit.ts";
import type { ClaimedDelivery, EndpointRef } from "../storage/claim-deliveries.ts";
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
}

/** Deliveries claimed ahead for a quick endpoint, as a multiple of its concurrency. */
const AHEAD = 5;
/** Below this multiple more are claimed: a claim takes about as long as sending them. */
const LOW = 2;

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
  };
}

/** For a slow endpoint only what can be sent at once. */
export function laneRoom({ waiting, running, reserved, limit }: EndpointLane): number {
  const wanted = limit.quick ? limit.current * (1 + AHEAD) : limit.current;
  return Math.max(wanted - waiting.length - running - reserved, 0);
}

/** For an attempt that begins now, before none that waits. */
export function hasFreePlace({ waiting, running, reserved, limit }: EndpointLane): boolean {
  return waiting.length + reserved === 0 && running < limit.current;
}

/** Supplied lanes are skipped, so that claims are few and large. */
export function isSupplied(lane: EndpointLane): boolean {
  return lane.waiting.length > lane.limit.current * LOW || laneRoom(lane) === 0;
}

/** Keeps the later answer: a claim and the lane may ask at the same time. */
export function learn(lane: EndpointLane, answer: EndpointAnswer): void {
  if (lane.answer === undefined || lane.answer.askedAt < answer.askedAt) lane.answer = answer;
}

export function endpointKey({ workspaceId, subscriptionId }: EndpointRef): string {
  return `${workspaceId} ${subscriptionId}`;
}
