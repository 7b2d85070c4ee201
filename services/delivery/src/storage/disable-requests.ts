import type { PrismaClient } from "../../gen/prisma/client.ts";
import type { EndpointRef } from "./claimed-delivery.ts";

export interface DisableRequest extends EndpointRef {
  reason: string;
  requestedAt: Date;
  /** Revision of the endpoint that caused the request; 0: unknown. */
  destinationRevision: number;
}

type Prismatic = Pick<PrismaClient, "disableRequest">;

export function findDisableRequests({ disableRequest }: Prismatic, limit: number): Promise<DisableRequest[]> {
  return disableRequest.findMany({ orderBy: { requestedAt: "asc" }, take: limit });
}

export function findDisableRequestOf(
  { disableRequest }: Prismatic,
  { workspaceId, subscriptionId }: EndpointRef,
): Promise<DisableRequest | null> {
  return disableRequest.findUnique({ where: { workspaceId_subscriptionId: { workspaceId, subscriptionId } } });
}

/** Deletes the request unless it was renewed. */
export async function deleteDisableRequest(
  { disableRequest }: Prismatic,
  { workspaceId, subscriptionId, requestedAt }: DisableRequest,
): Promise<void> {
  await disableRequest.deleteMany({ where: { workspaceId, subscriptionId, requestedAt } });
}
