import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetDistributorRequest, GetDistributorResponseSchema } from "@canvass/proto/distribution";
import type { Call } from "@canvass/rpc";
import type { DistributionContext } from "../context.ts";
import { distributorMessage } from "./distributor-message.ts";
import { findResults } from "./distributor-results.ts";
import { requireDistributor } from "./require-distributor.ts";

export async function getDistributor(
  context: DistributionContext,
  { distributorId }: GetDistributorRequest,
  { caller }: Call,
): Promise<MessageInitShape<typeof GetDistributorResponseSchema>> {
  const distributor = await requireDistributor(context.database.prisma, {
    workspaceId: caller.workspaceId,
    distributorId,
  });
  const [results] = await findResults(context, [distributor]);
  return { distributor: distributorMessage(distributor, context.now(), results) };
}
