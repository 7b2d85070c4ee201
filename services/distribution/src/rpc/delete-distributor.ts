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

/** What was a draft collects by now. */
class Activated extends Error {}

/** Deletes a distributor through which nobody has come. Throws `distributor_has_responses`. */
export async function deleteDistributor(
  context: DistributionContext,
  { distributorId }: DeleteDistributorRequest,
  call: Call,
): Promise<DeleteDistributorResponse> {
  const { database, now } = context;
  const replay = await findReplay(database.sql, call, DeleteDistributorResponseSchema, now());
  if (replay) return replay;
  const key = { workspaceId: call.caller.workspaceId, distributorId };
  const { status } = await requireDistributor(database.prisma, key);
  if (status !== "draft") return deleteHidden(context, key, call);
  try {
    return await remove(context, key, call, { draftOnly: true });
  } catch (error) {
    if (error instanceof Activated) return deleteHidden(context, key, call);
    throw error;
  }
}

/** It is hidden until all leases have ended, so that nobody starts between the count and the deletion. */
async function deleteHidden(
  context: DistributionContext,
  key: DistributorKey,
  call: Call,
): Promise<DeleteDistributorResponse> {
  const { database, leaseWaits, now } = context;
  await requireNobody(context, key);
  const hiddenUntil = new Date(now().getTime() + longestDeletionMs);
  await saveHiding(database.prisma, key, hiddenUntil);
  try {
    await leaseWaits.afterChange(call);
    await requireNobody(context, key);
    return await remove(context, key, call, { draftOnly: false });
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

/** Nobody ever came through a draft. Throws Activated. */
function remove(
  context: DistributionContext,
  key: DistributorKey,
  call: Call,
  { draftOnly }: { draftOnly: boolean },
): Promise<DeleteDistributorResponse> {
  return idempotentWrite(context, call, DeleteDistributorResponseSchema, async (transaction) => {
    const distributor = await requireLockedDistributor(transaction, key);
    if (draftOnly && distributor.status !== "draft") throw new Activated();
    await deleteDistributorRow(transaction.prisma, key);
    const at = timeOfChange(distributor, context.now());
    const { distributorId } = key;
    const before = auditedDistributor(distributor);
    await recordChange(transaction, call, { at, action: "distributor.deleted", distributorId, before });
    return {};
  });
}
