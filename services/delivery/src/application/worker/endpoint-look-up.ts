import { timestampDate } from "@bufbuild/protobuf/wkt";
import { createBatcher } from "@canvass/fairness";
import { mostBatchItems } from "@canvass/inputs";
import type { Endpoint } from "@canvass/proto/webhook";
import type { DeliveryContext } from "../../context.ts";
import type { CancelReason } from "../../storage/cancel-deliveries.ts";
import { oldestToSend } from "../../domain/retry-window.ts";
import type { ClaimedDelivery, EndpointRef } from "../../storage/claimed-delivery.ts";

export interface EndpointAnswer {
  endpoint: Endpoint;
  /** When the lookup began, by `performance.now()`. */
  askedAt: number;
  /** Attempts may use the result until then, on the same clock. */
  goodUntil: number;
}

export type LookUpEndpoint = (endpoint: EndpointRef) => Promise<EndpointAnswer>;

/** How long attempts may still begin after a change, such as a deletion. */
export const LOOK_UP_GOOD_MS = 250;
/** Minimum validity, so that a slow response is usable. */
const LEAST_MS = 50;

/** Rejects while the webhook service is unavailable. */
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

export function goodUntilFrom(askedAt: number): number {
  return Math.max(askedAt + LOOK_UP_GOOD_MS, performance.now() + LEAST_MS);
}

export function isGood(answer: EndpointAnswer | undefined): answer is EndpointAnswer {
  return answer !== undefined && performance.now() < answer.goodUntil;
}

export function takesDeliveries({ status, secrets }: Endpoint): boolean {
  return status === "active" && secrets.length > 0;
}

/** False: the queue is cancelled (gone, deleted, or without the plan). An undecided plan keeps it. */
export function keepsQueue({ status, statusReason }: Endpoint): boolean {
  return status !== "absent" && status !== "locked" && statusReason !== "gone";
}

export function cancelReason({ status }: Endpoint): CancelReason {
  if (status === "absent") return "deleted";
  return status === "locked" ? "plan" : "gone";
}

/** Deliveries created up to this time were too old when the webhook was resumed (contract 8.5). */
export function tooOldUntil({ activeSince }: Endpoint): Date {
  return activeSince ? oldestToSend(timestampDate(activeSince)) : new Date(0);
}

export function isTooOld({ createdAt }: ClaimedDelivery, endpoint: Endpoint): boolean {
  return createdAt <= tooOldUntil(endpoint);
}
