import type { MessageInitShape } from "@bufbuild/protobuf";
import { isId, requireBatchSize } from "@canvass/inputs";
import type { BatchCountOpenedRequest, BatchCountOpenedResponseSchema } from "@canvass/proto/distribution-links";
import type { DistributionContext } from "../context.ts";
import { countOpened } from "../storage/opened-counts.ts";

/** Counts that links were opened: one statement for all of them. */
export async function batchCountOpened(
  { database: { hot } }: DistributionContext,
  { opened }: BatchCountOpenedRequest,
): Promise<MessageInitShape<typeof BatchCountOpenedResponseSchema>> {
  requireBatchSize("opened", opened);
  const known = opened.filter(({ distributorId }) => isId(distributorId));
  if (known.length > 0) await countOpened(hot.sql, known);
  return {};
}
