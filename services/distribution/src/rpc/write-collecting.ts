import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DistributionContext, DistributionTransaction } from "../context.ts";
import type { DistributorKey } from "../storage/distributors.ts";
import { pushDistributor } from "./collecting-change.ts";

/** Runs a write that changes how a distributor collects. Returns once the change is in effect, also for a replay. */
export async function writeCollecting<Desc extends DescMessage>(
  context: DistributionContext,
  call: Call,
  schema: Desc,
  key: DistributorKey,
  work: (transaction: DistributionTransaction) => Promise<MessageInitShape<Desc>>,
): Promise<MessageShape<Desc>> {
  const answer = await idempotentWrite(context, call, schema, work);
  await pushDistributor(context, key);
  return answer;
}
