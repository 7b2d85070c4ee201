import { AppError } from "@canvass/errors";
import type { DistributorResult } from "@canvass/proto/response-links";
import type { DistributionContext } from "../context.ts";
import type { DistributorKey } from "../storage/distributors.ts";

export type Results = Pick<DistributorResult, "started" | "completed">;

type Responses = Pick<DistributionContext, "responses">;

/** Short, because a change does not need the counts. */
const changeTimeoutMs = 500;

export async function findResults({ responses }: Responses, keys: readonly DistributorKey[]): Promise<Results[]> {
  if (keys.length === 0) return [];
  const distributors = keys.map(({ workspaceId, distributorId }) => ({ workspaceId, distributorId }));
  return (await responses.batchGetDistributorResults({ distributors })).results;
}

/** Undefined if the response service is unavailable: pausing a distributor must not depend on it. */
export async function resultsIfKnown(
  { responses }: Responses,
  { workspaceId, distributorId }: DistributorKey,
): Promise<Results | undefined> {
  const distributors = [{ workspaceId, distributorId }];
  try {
    return (await responses.batchGetDistributorResults({ distributors }, { timeoutMs: changeTimeoutMs })).results[0];
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
