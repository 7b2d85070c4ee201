import { AppError } from "@canvass/errors";
import {
  MoveDistributorResponseSchema,
  type MoveDistributorRequest,
  type MoveDistributorResponse,
} from "@canvass/proto/distribution";
import type { Call } from "@canvass/rpc";
import type { DistributionContext } from "../context.ts";
import { isTransition, transitions, stateAfter } from "../domain/distributor-state.ts";
import { saveDistributor } from "../storage/distributors.ts";
import { recordCollecting } from "./collecting-change.ts";
import { distributorMessage, shownStatusOf } from "./distributor-message.ts";
import { resultsIfKnown } from "./distributor-results.ts";
import { appendAuditEvent } from "./append-audit-event.ts";
import { requireLockedDistributor, timeOfChange } from "./require-distributor.ts";
import { writeCollecting } from "./write-collecting.ts";

const actions = {
  activate: "distributor.activated",
  pause: "distributor.paused",
  resume: "distributor.resumed",
  close: "distributor.closed",
} as const satisfies Record<keyof typeof transitions, string>;

export async function moveDistributor(
  context: DistributionContext,
  { distributorId, move }: MoveDistributorRequest,
  call: Call,
): Promise<MoveDistributorResponse> {
  if (!isTransition(move))
    throw new AppError("invalid_request", { move: ["must be activate, pause, resume or close"] });
  const key = { workspaceId: call.caller.workspaceId, distributorId };
  const results = await resultsIfKnown(context, key);
  return writeCollecting(context, call, MoveDistributorResponseSchema, key, async (transaction) => {
    const distributor = await requireLockedDistributor(transaction, key);
    const now = context.now();
    const { status: stored } = distributor;
    const status = stateAfter({ stored, shown: shownStatusOf(distributor, now, results) }, move);
    if (status === stored) return { distributor: distributorMessage(distributor, now, results) };
    const at = timeOfChange(distributor, now);
    const { timeZone } = call.caller;
    const moved = await saveDistributor(transaction.prisma, distributor, { status, timeZone }, at);
    await recordCollecting(transaction, moved, at);
    const states = { before: { status: stored }, after: { status } };
    await appendAuditEvent(transaction, call, { at, action: actions[move], distributorId, ...states });
    return { distributor: distributorMessage(moved, now, results) };
  });
}
