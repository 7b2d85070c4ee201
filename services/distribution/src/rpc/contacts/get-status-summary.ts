import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetStatusSummaryRequest, GetStatusSummaryResponseSchema } from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import type { DistributionContext } from "../../context.ts";
import { findStatusCounts } from "../../storage/contacts/contact-counters.ts";

/** Reads counters, so the cost does not grow with the number of contacts. */
export async function getStatusSummary(
  { database }: DistributionContext,
  _request: GetStatusSummaryRequest,
  { caller }: Call,
): Promise<MessageInitShape<typeof GetStatusSummaryResponseSchema>> {
  const { active, unsubscribed, bounced, anonymized } = await findStatusCounts(database.sql, caller.workspaceId);
  return {
    active: BigInt(active),
    unsubscribed: BigInt(unsubscribed),
    bounced: BigInt(bounced),
    anonymized: BigInt(anonymized),
  };
}
