import type { DeliveryContext } from "../../context.ts";
import type { EndpointRef } from "../../storage/claimed-delivery.ts";
import { deleteDisableRequest, findDisableRequest } from "../../storage/disable-requests.ts";
import { findUnreportedOf } from "../../storage/endpoint-health.ts";
import { disable } from "./disable-endpoints.ts";
import { reportHealth } from "./report-health.ts";

/** Call it before attempts are shown, so that the subscription agrees with them. */
export async function reportOutcomes(context: DeliveryContext, endpoint: EndpointRef): Promise<void> {
  const { prisma } = context.database;
  const [health, request] = await Promise.all([
    findUnreportedOf(prisma, endpoint),
    findDisableRequest(prisma, endpoint),
  ]);
  if (health) await reportHealth(context, [health]);
  if (!request) return;
  await disable(context, request);
  await deleteDisableRequest(prisma, request);
}
