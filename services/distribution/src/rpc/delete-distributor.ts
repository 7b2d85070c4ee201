import { AppError } from "@canvass/errors";
import { findReplay } from "@canvass/postgres/rpc";
import {
  DeleteDistributorResponseSchema,
  type DeleteDistributorRequest,
  type DeleteDistributorResponse,
} from "@canvass/proto/distribution";
import type { Call } from "@canvass/rpc";
import { commitDuringHold, idempotentWrite } from "@canvass/service";
import type { DistributionContext } from "../context.ts";
import { deleteDistributorRow } from "../storage/distributors.ts";
import { findLinksOfDistributors } from "../storage/links.ts";
import { deletedLinkEvent, type DeletedLink } from "./collecting-change.ts";
import { linkMessage } from "./link-message.ts";
import { auditedDistributor, appendAuditEvent } from "./append-audit-event.ts";
import { requireDistributor, requireLockedDistributor, timeOfChange } from "./require-distributor.ts";

class Activated extends Error {}

/** Deletes a distributor without respondents. Returns when no respondent can start. */
export async function deleteDistributor(
  context: DistributionContext,
  { distributorId }: DeleteDistributorRequest,
  call: Call,
): Promise<DeleteDistributorResponse> {
  const { database, now } = context;
  const key = { workspaceId: call.caller.workspaceId, distributorId };
  const replay = await findReplay(database.sql, call, DeleteDistributorResponseSchema, now());
  if (replay) {
    const { surveyId } = replay;
    // A response that the previous version stored has no survey id. That version pushed nothing.
    if (surveyId !== "") await context.pushCollecting(deletedLinkEvent({ ...key, surveyId }, now()));
    return replay;
  }
  const { status, surveyId } = await requireDistributor(database.prisma, key);
  const link = { ...key, surveyId };
  if (status !== "draft") return removeHeld(context, link, call);
  try {
    return await remove(context, link, call);
  } catch (error) {
    if (error instanceof Activated) return removeHeld(context, link, call);
    throw error;
  }
}

/** Holds the link, so that no respondent starts before the deletion. After an error the hold ends in seconds. */
async function removeHeld(
  context: DistributionContext,
  link: DeletedLink,
  call: Call,
): Promise<DeleteDistributorResponse> {
  const [row] = await findLinksOfDistributors(context.database.sql, [link]);
  if (!row) throw new AppError("distributor_not_found");
  const heldAt = performance.now();
  const started = Number((await context.responses.holdUnusedLink({ link: linkMessage(row) })).started);
  if (started > 0) throw new AppError("distributor_has_responses", { started });
  const answer = await remove(context, link, call, heldAt);
  await context.pushCollecting(deletedLinkEvent(link, context.now()));
  return answer;
}

/** Without a hold, throws Activated unless the distributor is a draft, which cannot have respondents. */
function remove(
  context: DistributionContext,
  link: DeletedLink,
  call: Call,
  heldAt?: number,
): Promise<DeleteDistributorResponse> {
  return idempotentWrite(context, call, DeleteDistributorResponseSchema, async (transaction) => {
    const distributor = await requireLockedDistributor(transaction, link);
    if (heldAt !== undefined) await commitDuringHold(transaction.sql, heldAt);
    else if (distributor.status !== "draft") throw new Activated();
    await deleteDistributorRow(transaction.prisma, link);
    const at = timeOfChange(distributor, context.now());
    await transaction.publish(deletedLinkEvent(link, at));
    const { distributorId } = link;
    const before = auditedDistributor(distributor);
    await appendAuditEvent(transaction, call, { at, action: "distributor.deleted", distributorId, before });
    return { surveyId: link.surveyId };
  });
}
