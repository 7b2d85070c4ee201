import type { MessageInitShape } from "@bufbuild/protobuf";
import { requireBatchSize } from "@canvass/inputs";
import type {
  BatchGetDistributorResultsRequest,
  BatchGetDistributorResultsResponseSchema,
} from "@canvass/proto/response-links";
import type { ResponseContext } from "../context.ts";
import type { DistributorRef } from "../domain/links/link.ts";
import { findDistributorResults } from "../storage/links/distributor-results.ts";

export async function batchGetDistributorResults(
  { database }: ResponseContext,
  { distributors }: BatchGetDistributorResultsRequest,
): Promise<MessageInitShape<typeof BatchGetDistributorResultsResponseSchema>> {
  requireBatchSize("distributors", distributors);
  const found = new Map((await findDistributorResults(database.sql, distributors)).map((row) => [keyOf(row), row]));
  return {
    results: distributors.map((ref) => {
      const { started = 0, completed = 0 } = found.get(keyOf(ref)) ?? {};
      return { started: BigInt(started), completed: BigInt(completed) };
    }),
  };
}

const keyOf = ({ workspaceId, distributorId }: DistributorRef) => `${workspaceId} ${distributorId}`;
