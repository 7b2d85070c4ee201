import { timestampDate } from "@bufbuild/protobuf/wkt";
import { mostBatchItems } from "@canvass/inputs";
import type { Endpoint } from "@canvass/proto/webhook";
import { createBatcher } from "@canvass/rpc";
import type { DeliveryContext } from "../../context.ts";
import type { CancelReason } from "../../storage/cancel-deliveries.ts";
import { oldestToSend } from "../../domain/retry-window.ts";
import type { ClaimedDelivery, EndpointRef } from "../../storage/claimed-delivery.ts";

export interface EndpointAnswer {
  endpoint: Endpoint;
  /** Milliseconds of `performance.now()`; the answer is at least this fresh. */
  askedAt: number;
  /** Attempts may rely on it until then, on the same clock. */
  goodUntil: number;
}

export type LookUpEndpoint = (endpoint: EndpointRef) => Promise<EndpointAnswer>;

/** How long attempts may still begin after a change, such as a deletion. */
export const LOOK_UP_GOOD_MS = 250;
/** Keeps answers of a slow service usable. */
const LEAST_MS = 50;

/** One call per turn. Rejects while the webhook service is away. */
export function createEndpointLookUp({ subscriptions }: DeliveryContext): LookUpEndpoint {
  return createBatcher<EndpointRef, EndpointAnswer>({
    maxSize: mostBatchItems,
    maxInFlight: 4,
    maxQueued: Number.POSITIVE_INFINITY,
    send: async (refs) => {
      const askedAt = performance.now();
      const asked = refs.map(({ workspaceId, subscriptionId }) => ({ workspaceId, subscriptionId }));
      const { endpoints } = await subscriptions.batchGetEndpoints({ endpoints: asked });
      const goodUntil = goodUntilFrom(askedAt);
      return endpoints.map((endpoint) => ({ endpoint, askedAt, goodUntil }));
    },
  });
}

/** Of an answer that has just come. */
export function goodUntilFrom(askedAt: number): number {
  return Math.max(askedAt + LOOK_UP_GOOD_MS, performance.now() + LEAST_MS);
}

export function isGood(answer: EndpointAnswer | undefined): answer is EndpointAnswer {
  return answer !== undefined && performance.now() < answer.goodUntil;
}

export function takesDeliveries({ status, secrets }: Endpoint): boolean {
  return status === "active" && secrets.length > 0;
}

/**
 * Whether the queue is kept while nothing may be sent, also while its plan is undecided; else it is cancelled: gone, deleted,
 * or without the plan.
 */
export function keepsQueue({ status, statusReason }: Endpoint): boolean {
  return status !== "absent" && status !== "locked" && statusReason !== "gone";
}

/** Why a queue is not kept. */
export function cancelReason({ status }: Endpoint): CancelReason {
  if (status === "absent") return "deleted";
  return status === "locked" ? "plan" : "gone";
}

/** What was created until then is not sent: it was too old when the webhook was resumed (contract 8.5). */
export function tooOldUntil({ activeSince }: Endpoint): Date {
  return activeSince ? oldestToSend(timestampDate(activeSince)) : new Date(0);
}

export function isTooOld({ createdAt }: ClaimedDelivery, endpoint: Endpoint): boolean {
  return createdAt <= tooOldUntil(endpoint);
}
