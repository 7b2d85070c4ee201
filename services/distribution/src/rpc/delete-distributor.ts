import { AppError } from "@canvass/errors";
import { findReplay } from "@canvass/postgres/rpc";
import {
  DeleteDistributorResponseSchema,
  type DeleteDistributorRequest,
  type DeleteDistributorResponse,
} from "@canvass/proto/distribution";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DistributionContext } from "../context.ts";
import { deleteDistributorRow, type DistributorKey } from "../storage/distributors.ts";
import { endHiding, saveHiding } from "../storage/hiding.ts";
import { findResults } from "./distributor-results.ts";
import { auditedDistributor, recordChange } from "./record-change.ts";
import { requireDistributor, requireLockedDistributor, timeOfChange } from "./require-distributor.ts";

/** Longer than a caller's deadline: a hiding that is older was left behind by a process that died. */
const longestDeletionMs = 15_000;

/**
 * Deletes a distributor through which nobody has come. It is hidden until all leases have ended, so that nobody starts
 * between the count and the deletion. Throws `distributor_has_responses`.
 */
export async function deleteDistributor(
  context: DistributionContext,
  { distributorId }: DeleteDistributorRequest,
  call: Call,
): Promise<DeleteDistributorResponse> {
  const { database, leaseWaits, now } = context;
  const replay = await findReplay(database.sql, call, DeleteDistributorResponseSchema, now());
  if (replay) return replay;
  const key = { workspaceId: call.caller.workspaceId, distributorId };
  await requireDistributor(database.prisma, key);
  await requireNobody(context, key);
  const hiddenUntil = new Date(now().getTime() + longestDeletionMs);
  await saveHiding(database.prisma, key, hiddenUntil);
  try {
    await leaseWaits.afterChange(call);
    await requireNobody(context, key);
    return await remove(context, key, call);
  } catch (error) {
    // In vain while the database is away: the hiding then ends by itself.
    await endHiding(database.prisma, key, hiddenUntil).catch(() => undefined);
    throw error;
  }
}

async function requireNobody(context: DistributionContext, key: DistributorKey): Promise<void> {
  const [results] = await findResults(context, [key]);
  const started = Number(results?.started ?? 0n);
  if (started > 0) throw new AppError("distributor_has_responses", { started });
}

function remove(context: DistributionContext, key: DistributorKey, call: Call): Promise<DeleteDistributorResponse> {
  return idempotentWrite(context, call, DeleteDistributorResponseSchema, async (transaction) => {
    const distributor = await requireLockedDistributor(transaction, key);
    await deleteDistributorRow(transaction.prisma, key);
    const at = timeOfChange(distributor, context.now());
    const { distributorId } = key;
    const before = auditedDistributor(distributor);
    await recordChange(transaction, call, { at, action: "distributor.deleted", distributorId, before });
    return {};
  });
}
