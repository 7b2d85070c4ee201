import type { DeliveryContext } from "../context.ts";
import type { EndpointRef } from "../storage/claim-deliveries.ts";
import { readDisableRequestOf } from "../storage/disable-requests.ts";
import { readUnreportedOf } from "../storage/endpoint-health.ts";
import { disable } from "./disable-endpoints.ts";
import { reportHealth } from "./report-health.ts";

/**
 * Tells the webhook service at once what the attempts recorded so far mean for a subscription: its health, and whether
 * it is to be disabled. An answer that shows attempts waits for this, so that what the subscription shows next never
 * denies it, whether or not this service is there by then. Mostly there is nothing left to tell.
 */
export async function tellOutcomes(context: DeliveryContext, endpoint: EndpointRef): Promise<void> {
  const { sql } = context.database;
  const [health, requests] = await Promise.all([readUnreportedOf(sql, endpoint), readDisableRequestOf(sql, endpoint)]);
  if (health.length > 0) await reportHealth(context, health);
  for (const request of requests) await disable(context, request);
}
