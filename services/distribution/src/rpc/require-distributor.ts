import { AppError } from "@canvass/errors";
import { requireIfMatch } from "@canvass/inputs";
import { ifMatchAllows } from "@canvass/values";
import type { DistributionTransaction } from "../context.ts";
import {
  findDistributor,
  lockDistributor,
  type DistributorKey,
  type PrismaOrTransaction,
  type StoredDistributor,
} from "../storage/distributors.ts";
import { distributorTags } from "./distributor-message.ts";

export async function requireDistributor(prisma: PrismaOrTransaction, key: DistributorKey): Promise<StoredDistributor> {
  return orAbsent(await findDistributor(prisma, key));
}

export async function requireLockedDistributor(
  { sql, prisma }: DistributionTransaction,
  key: DistributorKey,
): Promise<StoredDistributor> {
  return orAbsent(await lockDistributor(sql, prisma, key));
}

export async function requireMatchingDistributor(
  transaction: DistributionTransaction,
  key: DistributorKey,
  ifMatch: readonly string[],
): Promise<StoredDistributor> {
  const distributor = await requireLockedDistributor(transaction, key);
  requireIfMatch(ifMatch);
  const tags = Object.values(distributorTags(distributor));
  if (!tags.some((tag) => ifMatchAllows(ifMatch, tag))) throw new AppError("precondition_failed");
  return distributor;
}

/** Never before an earlier change, because the clocks of replicas differ. */
export function timeOfChange({ updatedAt }: StoredDistributor, now: Date): Date {
  return now > updatedAt ? now : updatedAt;
}

function orAbsent(distributor: StoredDistributor | undefined): StoredDistributor {
  if (!distributor) throw new AppError("distributor_not_found");
  return distributor;
}
