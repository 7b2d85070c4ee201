import type { PrismaClient } from "../../gen/prisma/client.ts";
import type { EndpointRef } from "./claimed-delivery.ts";

export interface DisableRequest extends EndpointRef {
  reason: string;
  requestedAt: Date;
  /** Revision of the destination that caused the request; 0: unknown. */
  destinationRevision: number;
}

type DisableRequestTable = Pick<PrismaClient, "disableRequest">;

/** Returns the oldest requests behind `last`. */
export function findDisableRequests(
  { disableRequest }: DisableRequestTable,
  { last, limit }: { last: DisableRequest | undefined; limit: number },
): Promise<DisableRequest[]> {
  return disableRequest.findMany({
    ...(last && { where: { OR: placesBehind(last) } }),
    orderBy: [{ requestedAt: "asc" }, { workspaceId: "asc" }, { subscriptionId: "asc" }],
    take: limit,
  });
}

const placesBehind = ({ requestedAt, workspaceId, subscriptionId }: DisableRequest) => [
  { requestedAt: { gt: requestedAt } },
  { requestedAt, workspaceId: { gt: workspaceId } },
  { requestedAt, workspaceId, subscriptionId: { gt: subscriptionId } },
];

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
