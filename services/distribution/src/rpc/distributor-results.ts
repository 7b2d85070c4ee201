import { AppError } from "@canvass/errors";
import type { DistributorResult } from "@canvass/proto/response-links";
import type { DistributionContext } from "../context.ts";
import type { DistributorKey } from "../storage/distributors.ts";

export type Results = Pick<DistributorResult, "started" | "completed">;

type Responses = Pick<DistributionContext, "responses">;

/** A change does not wait long for counts that it can do without. */
const changeTimeoutMs = 500;

/** Returns the response counts of distributors, in order. Throws `service_unavailable` without the response service. */
export async function findResults({ responses }: Responses, keys: readonly DistributorKey[]): Promise<Results[]> {
  if (keys.length === 0) return [];
  const distributors = keys.map(({ workspaceId, distributorId }) => ({ workspaceId, distributorId }));
  return (await responses.batchGetDistributorResults({ distributors })).results;
}

/** Like `findResults` for the response to a change; undefined if unavailable: pausing must not depend on it. */
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
