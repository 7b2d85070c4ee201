import { createConcurrencyLimit, type ConcurrencyLimit } from "../domain/concurrency-limit.ts";
import type { ClaimedDelivery, EndpointRef } from "../storage/claim-deliveries.ts";
import type { EndpointAnswer } from "./endpoint-look-up.ts";

/** What one worker does for one endpoint. */
export interface EndpointLane extends EndpointRef {
  /** Where it leads, as was last heard; undefined: not known. */
  answer: EndpointAnswer | undefined;
  /** Set while the webhook service is asked anew. */
  asking: Promise<void> | undefined;
  /** Claimed, not begun. */
  waiting: ClaimedDelivery[];
  /** Attempts under way. */
  running: number;
  limit: ConcurrencyLimit;
  /** The last claim took as many as there was room for: there is probably more. */
  more: boolean;
}

/** Deliveries fetched ahead of a quick endpoint, as a multiple of what runs at once. */
const AHEAD = 5;
/** With fewer ahead than this multiple, more are fetched: a claim takes about as long as sending them. */
const LOW = 2;

export function createLane({ workspaceId, subscriptionId }: EndpointRef, maxRunning: number): EndpointLane {
  const limit = createConcurrencyLimit(maxRunning);
  const unknown = { answer: undefined, asking: undefined };
  return { workspaceId, subscriptionId, ...unknown, waiting: [], running: 0, limit, more: false };
}

/** How many deliveries the lane can take. A slow endpoint gets no more than it can be sent at once. */
export function laneRoom({ waiting, running, limit }: EndpointLane): number {
  const wanted = limit.quick ? limit.current * (1 + AHEAD) : limit.current;
  return Math.max(wanted - waiting.length - running, 0);
}

/** True when the lane has enough for now: claims are few and large instead of one for each attempt that ends. */
export function isSupplied(lane: EndpointLane): boolean {
  return lane.waiting.length > lane.limit.current * LOW || laneRoom(lane) === 0;
}

/** Takes note of an answer, unless a later one is known: a claim and the lane itself may ask at the same time. */
export function learn(lane: EndpointLane, answer: EndpointAnswer): void {
  if (lane.answer === undefined || lane.answer.askedAt < answer.askedAt) lane.answer = answer;
}

/** One text for an endpoint. */
export function endpointKey({ workspaceId, subscriptionId }: EndpointRef): string {
  return `${workspaceId} ${subscriptionId}`;
}
