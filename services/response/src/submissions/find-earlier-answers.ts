import { AppError } from "@canvass/errors";
import { idempotencyKey } from "@canvass/postgres/rpc";
import type { Submission } from "@canvass/proto/response";
import type { ResponseContext } from "../context.ts";
import { claimBatch, type ReplayClaim } from "../storage/claim-batch.ts";

/**
 * Finds the earlier answers of refused submissions whose idempotency key was used before. A replay or a reused key wins
 * over any other fault, also while the survey service is away. Two statements, however many submissions.
 */
export async function findEarlierAnswers(
  { verifyCaller, database, now }: ResponseContext,
  submissions: readonly Submission[],
): Promise<Map<Submission, ReplayClaim | AppError>> {
  const keyed = submissions.flatMap((submission) => {
    const caller = submission.idempotency && verifyCaller(submission.caller);
    return caller ? [{ submission, key: idempotencyKey(caller.workspaceId, submission.idempotency!) }] : [];
  });
  // Outside a transaction a claim ends with its statement: only recorded keys matter here.
  const claims = await claimBatch(
    database.sql,
    keyed.map(({ key }) => key),
    now(),
  );
  const answers = keyed.map(({ submission }, index) => [submission, claims[index]] as const);
  return new Map(answers.filter((entry): entry is [Submission, ReplayClaim | AppError] => isOnRecord(entry[1])));
}

function isOnRecord(claim: ReplayClaim | AppError | undefined): boolean {
  return claim instanceof AppError ? claim.code === "idempotency_key_reused" : claim !== undefined;
}
