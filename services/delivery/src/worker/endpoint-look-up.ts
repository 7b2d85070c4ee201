import { mostBatchItems } from "@canvass/inputs";
import type { Endpoint } from "@canvass/proto/webhook";
import { createBatcher } from "@canvass/rpc";
import type { DeliveryContext } from "../context.ts";
import type { EndpointRef } from "../storage/claim-deliveries.ts";

/** What the webhook service said of an endpoint. */
export interface EndpointAnswer {
  endpoint: Endpoint;
  /** In milliseconds of `performance.now()`: what it says was true at that time or later. */
  askedAt: number;
  /** Until when attempts may rely on it, on the same clock. */
  goodUntil: number;
}

export type LookUpEndpoint = (endpoint: EndpointRef) => Promise<EndpointAnswer>;

/** How long after a change attempts may still begin as before it: a deleted webhook is sent nothing any more after this. */
const GOOD_MS = 250;
/** A service that takes long to answer must not make all its answers useless. */
const LEAST_MS = 50;

/** Asks the webhook service where endpoints are; those asked for in one turn with one call. Rejects while it is away. */
export function createEndpointLookUp({ subscriptions }: DeliveryContext): LookUpEndpoint {
  return createBatcher<EndpointRef, EndpointAnswer>({
    maxSize: mostBatchItems,
    maxInFlight: 4,
    maxQueued: Number.POSITIVE_INFINITY,
    send: async (refs) => {
      const askedAt = performance.now();
      const asked = refs.map(({ workspaceId, subscriptionId }) => ({ workspaceId, subscriptionId }));
      const { endpoints } = await subscriptions.batchGetEndpoints({ endpoints: asked });
      const goodUntil = Math.max(askedAt + GOOD_MS, performance.now() + LEAST_MS);
      return endpoints.map((endpoint) => ({ endpoint, askedAt, goodUntil }));
    },
  });
}

export function isGood(answer: EndpointAnswer | undefined): answer is EndpointAnswer {
  return answer !== undefined && performance.now() < answer.goodUntil;
}

/** Whether webhooks may be sent there. */
export function takesDeliveries({ status, secrets }: Endpoint): boolean {
  return status === "active" && secrets.length > 0;
}

/** Whether what is queued waits while nothing may be sent; else it is cancelled: gone, deleted, or without the plan. */
export function keepsQueue({ status, statusReason }: Endpoint): boolean {
  return status !== "absent" && status !== "locked" && statusReason !== "gone";
}
