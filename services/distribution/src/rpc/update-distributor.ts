import { readBody, requireIfMatch, updateDistributorBody } from "@canvass/inputs";
import {
  UpdateDistributorResponseSchema,
  type UpdateDistributorRequest,
  type UpdateDistributorResponse,
} from "@canvass/proto/distribution";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DistributionContext } from "../context.ts";
import { saveDistributor } from "../storage/distributors.ts";
import { recordCollecting } from "./collecting-change.ts";
import { distributorMessage } from "./distributor-message.ts";
import { resultsIfKnown } from "./distributor-results.ts";
import { auditedUpdate, appendAuditEvent } from "./append-audit-event.ts";
import { requireMatchingDistributor, timeOfChange } from "./require-distributor.ts";

export async function updateDistributor(
  context: DistributionContext,
  { distributorId, ifMatch, bodyJson }: UpdateDistributorRequest,
  call: Call,
): Promise<UpdateDistributorResponse> {
  const { workspaceId, timeZone } = call.caller;
  const key = { workspaceId, distributorId };
  const results = await resultsIfKnown(context, key);
  return idempotentWrite(context, call, UpdateDistributorResponseSchema, async (transaction) => {
    requireIfMatch(ifMatch);
    const { name } = readBody(updateDistributorBody, bodyJson);
    const distributor = await requireMatchingDistributor(transaction, key, ifMatch);
    const at = timeOfChange(distributor, context.now());
    const updated = await saveDistributor(transaction.prisma, distributor, { name, timeZone }, at);
    // The time zone may change, but the response does not wait until that is in effect.
    await recordCollecting(transaction, updated, at);
    const states = auditedUpdate(distributor, updated);
    await appendAuditEvent(transaction, call, { at, action: "distributor.updated", distributorId, ...states });
    return { distributor: distributorMessage(updated, at, results) };
  });
}
