import type { Prismas, DistributorKey } from "./distributors.ts";

/** Hides a distributor from links for a while, so that nobody starts while it is being deleted. */
export async function saveHiding(
  { distributor }: Prismas,
  { workspaceId, distributorId }: DistributorKey,
  deletingUntil: Date,
): Promise<void> {
  await distributor.updateMany({ where: { workspaceId, distributorId }, data: { deletingUntil } });
}

/** Ends a hiding, unless a later one has replaced it. */
export async function endHiding(
  { distributor }: Prismas,
  { workspaceId, distributorId }: DistributorKey,
  deletingUntil: Date,
): Promise<void> {
  await distributor.updateMany({ where: { workspaceId, distributorId, deletingUntil }, data: { deletingUntil: null } });
}
