import type { PrismaClient } from "../../gen/prisma/client.ts";
import type { EndpointRef } from "./claimed-delivery.ts";

export interface DisableRequest extends EndpointRef {
  reason: string;
  requestedAt: Date;
  /** Revision of the destination that caused the request; 0: unknown. */
  destinationRevision: number;
}

type DisableRequestTable = Pick<PrismaClient, "disableRequest">;

/** Returns the oldest requests, without the `skip` oldest. */
export function findDisableRequests(
  { disableRequest }: DisableRequestTable,
  { skip, limit }: { skip: number; limit: number },
): Promise<DisableRequest[]> {
  const orderBy = [{ requestedAt: "asc" }, { workspaceId: "asc" }, { subscriptionId: "asc" }] as const;
  return disableRequest.findMany({ orderBy: [...orderBy], skip, take: limit });
}

export function findDisableRequest(
  { disableRequest }: DisableRequestTable,
  { workspaceId, subscriptionId }: EndpointRef,
): Promise<DisableRequest | null> {
  return disableRequest.findUnique({ where: { workspaceId_subscriptionId: { workspaceId, subscriptionId } } });
}

/** Deletes the request unless it was renewed. */
export async function deleteDisableRequest(
  { disableRequest }: DisableRequestTable,
  { workspaceId, subscriptionId, requestedAt }: DisableRequest,
): Promise<void> {
  await disableRequest.deleteMany({ where: { workspaceId, subscriptionId, requestedAt } });
}
