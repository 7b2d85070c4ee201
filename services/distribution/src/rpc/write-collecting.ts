import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DistributionContext, DistributionTransaction } from "../context.ts";

/**
 * A write that changes how a link collects: answered, also by a replay, when every lease given before its commit has
 * ended.
 */
export async function writeCollecting<Desc extends DescMessage>(
  context: DistributionContext,
  call: Call,
  schema: Desc,
  work: (transaction: DistributionTransaction) => Promise<MessageInitShape<Desc>>,
): Promise<MessageShape<Desc>> {
  let isFirst = false;
  const answer = await idempotentWrite(context, call, schema, (transaction) => {
    isFirst = true;
    return work(transaction);
  });
  const { leaseWaits } = context;
  await (isFirst ? leaseWaits.afterChange(call) : leaseWaits.beforeReplay(call));
  return answer;
}
